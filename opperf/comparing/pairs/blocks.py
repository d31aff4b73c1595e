"""Blocks of two arms in turns: what one session makes of one operator.

Arms alternate as ABBA or BAAB, by a coin: what changes steadily meanwhile falls on both alike. Two
adjacent blocks, one of either arm, are a pair. It knows no process: an arm is what returns a block.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import log
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from opperf.core.statistics.summary import median_interval
from opperf.core.timing.noise import PROBE_SLOW

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from random import Random

    from opperf.core.frameworks.device import Clock

ORDERS = ("abba", "baab")
FEWEST, FIRST_LOOK, MOST = 4, 12, 20
"""Undisturbed pairs: needed, looked at first, and taken at most. By more of them, sessions differ
no less (docs/lab/method.md)."""
PRECISION = 0.003
"""The half-width of the session's own interval at which more pairs add nothing: sessions differ by
more."""
SECONDS, PATIENCE = 0.3, 2
"""The time for an operator and direction, and how many times that to wait for a neighbor to go."""


@dataclass(frozen=True, kw_only=True)
class Block:
    """One sample of one arm: net seconds per iteration, and what disturbed it.

    `probe_times` are the nanoseconds of the interference probe before and after it, `switches` how
    often the system gave the processor to another process, None where that is not counted.
    """

    seconds: float
    probe_times: tuple[int, int]
    switches: int | None = None


@dataclass(kw_only=True)
class Pairs:
    """The pairs of one session in time order, and which of them somebody disturbed."""

    a: list[Block] = field(default_factory=list)
    b: list[Block] = field(default_factory=list)

    def add(self, a: Block, b: Block) -> None:
        """Add a pair."""
        self.a.append(a)
        self.b.append(b)

    def marked(self) -> list[int]:
        """Return the positions of the pairs that were disturbed; no time is looked at for that.

        A neighbor that remains slows both blocks alike, and their ratio still holds. One that comes
        or goes between them does not: then the probe times of the pair differ.
        """
        return [
            at
            for at, pair in enumerate(zip(self.a, self.b, strict=True))
            if any(block.switches for block in pair) or uneven(pair)
        ]

    def ratios(self) -> list[float]:
        """Return the logarithm of B over A of each pair."""
        return [log(b.seconds / a.seconds) for a, b in zip(self.a, self.b, strict=True)]

    def quiet(self) -> list[float]:
        """Return the ratios of the pairs that nobody disturbed."""
        marked = set(self.marked())
        return [ratio for at, ratio in enumerate(self.ratios()) if at not in marked]

    @property
    def disturbed(self) -> bool:
        """Whether too few pairs are left without the disturbed ones, so that all count."""
        return len(self.quiet()) < FEWEST

    def ratio(self) -> float:
        """Return the session's own figure: the median logarithm of B over A."""
        return median(self.ratios() if self.disturbed else self.quiet())

    def seconds(self) -> tuple[float, float]:
        """Return the median seconds of either arm over the pairs that count."""
        left_out = set() if self.disturbed else set(self.marked())
        a, b = (
            median(block.seconds for at, block in enumerate(blocks) if at not in left_out)
            for blocks in (self.a, self.b)
        )
        return a, b


def uneven(pair: tuple[Block, Block]) -> bool:
    """Return whether the probe was slow before, or after, one block of a pair only.

    One after a block is compared with one after a block: the operator may have slowed the clock.
    """
    before_and_after = zip(*(block.probe_times for block in pair), strict=True)
    return any(max(probe_times) > PROBE_SLOW * min(probe_times) for probe_times in before_and_after)


def measure_pairs(arms: Mapping[str, Callable[[], Block]], coin: Random, clock: Clock) -> Pairs:
    """Return the pairs of the arms "a" and "b", as many as the session's figure needs."""
    pairs = Pairs()
    began = clock()
    while not enough(pairs, (clock() - began) * 1e-9):
        order = coin.choice(ORDERS)
        blocks = [arms[arm]() for arm in order]
        for first in (0, 2):
            found = dict(zip(order[first : first + 2], blocks[first : first + 2], strict=True))
            pairs.add(found["a"], found["b"])
    return pairs


def enough(pairs: Pairs, elapsed: float) -> bool:
    """Return whether no further pair is needed, or time is up."""
    quiet = pairs.quiet()
    if len(quiet) < FEWEST:
        return len(pairs.a) >= FEWEST and elapsed >= PATIENCE * SECONDS
    if len(quiet) >= MOST or elapsed >= SECONDS:
        return True
    return len(quiet) >= FIRST_LOOK and half_width(quiet) <= PRECISION


def half_width(ratios: list[float]) -> float:
    """Return the half-width of the interval of the ratios' median."""
    found = median_interval(np.asarray(ratios))
    return float("inf") if found is None else (found[1] - found[0]) / 2
