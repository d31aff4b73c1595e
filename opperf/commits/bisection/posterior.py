"""Where a change lies among ordered commits: its posterior by what sessions have measured.

Commits are numbered 0 (GOOD) to `count` (BAD). A contrast compares commit `high` with commit `low`
in one session; its log ratio lies about the step's size if the change is in (low, high], that is
if it came with one of the commits low + 1 to high, and about 0 if not. Three explanations compete:

* one step of unknown size at one of the commits, each as likely as another;
* none: every contrast is about 0;
* several: each contrast has a level of its own (several steps, a slope).

The size of the step, the scale of the noise and its tails are integrated out, over grids.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import log
from typing import TYPE_CHECKING

import numpy as np

from opperf.commits.bisection.noise import NoiseGrid

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.tensors.tensor import Array


Span = tuple[int, int]
"""A range of commits (low, high]."""
NONE, SEVERAL = 0.5, 0.05
"""Prior probabilities: that nothing changed, and that no single step explains the sessions."""
LEAST = 1e-3
"""The smallest change for which levels are tried; a smaller one counts as this."""
CONTRASTS = 256
"""How many contrasts have their likelihoods cached."""


@dataclass(frozen=True, kw_only=True)
class Posterior:
    """What is held after the sessions so far.

    `cuts` are the commits that contrasts end at, in order; `masses` the probability of the step
    between each and the next. With `none` and `several` they sum to 1.
    """

    cuts: tuple[int, ...]
    masses: tuple[float, ...]
    none: float
    several: float

    def up_to(self, commits: Sequence[int]) -> Array:
        """Return the probability that the step is at or before each commit, if it is one step.

        Between two cuts that nothing has divided all commits are equally likely.
        """
        sums = np.cumsum([0.0, *self.masses])
        total = sums[-1]
        return np.interp(commits, self.cuts, sums / total if total > 0 else sums)

    def within(self, low: int, high: int) -> float:
        """Return the probability of the step in (low, high], if it is one step."""
        before, by = self.up_to([low, high])
        return float(by - before)


def posterior_of(count: int, contrasts: Mapping[Span, Sequence[float]]) -> Posterior:
    """Return the posterior by the sessions' log ratios of each contrast.

    Args:
        count: the number of the last commit, BAD; that of GOOD is 0.
        contrasts: the log ratios by (low, high); (0, count) is among them.

    """
    ends = tuple(contrasts[0, count])
    noise, size, room = frame_of(ends)
    cuts = sorted({0, count, *(cut for span in contrasts for cut in span)})
    spans = [*pairwise(cuts)]
    found = [evidence_of(ends, tuple(values)) for values in contrasts.values()]
    same, moved, free = (np.stack(arrays) for arrays in zip(*found, strict=True))
    holds = np.array([[low <= a and b <= high for low, high in contrasts] for a, b in spans])
    gain = moved - same[:, None, :]
    nothing = same.sum(axis=0)
    steps = nothing + np.tensordot(holds.astype(float), gain, axes=1)
    signed = np.where(np.sign(noise.levels(size)) == np.sign(size), 0.0, -np.inf)
    by_span = np.logaddexp.reduce(steps + signed + np.log(noise.width) - room, axis=(1, 2))
    shares = np.log([(end - start) / count for start, end in spans])
    single = log(1 - NONE - SEVERAL) + shares + by_span
    none = log(NONE) + np.logaddexp.reduce(nothing)
    several = log(SEVERAL) + np.logaddexp.reduce(free.sum(axis=0))
    weights = np.array([*single, none, several])
    weights = np.exp(weights - weights.max())
    *masses, none, several = (weights / weights.sum()).tolist()
    return Posterior(cuts=tuple(cuts), masses=tuple(masses), none=none, several=several)


def frame_of(ends: tuple[float, ...]) -> tuple[NoiseGrid, float, float]:
    """Return the grid of noise, the size of the change, and the room that levels have.

    A level may be anything from less than nothing to twice the change: the same for all.
    """
    size = float(np.median(ends))
    return NoiseGrid(ends), size, log(3 * max(abs(size), LEAST))


@lru_cache(CONTRASTS)
def evidence_of(ends: tuple[float, ...], values: tuple[float, ...]) -> tuple[Array, Array, Array]:
    """Return the log likelihood of a contrast: if it is 0, if it is the step, if it is anything.

    Between one session and the next most contrasts stay as they are.
    """
    noise, size, room = frame_of(ends)
    own = noise.likelihood(values, noise.levels(float(np.median(values))))
    free = np.logaddexp.reduce(own + np.log(noise.width) - room, axis=0)
    return noise.likelihood(values, 0.0), noise.likelihood(values, noise.levels(size)), free
