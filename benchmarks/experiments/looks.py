"""E4: how often one who stops at will is wrong, and how many sessions a verdict takes."""

from __future__ import annotations

from math import log1p
from typing import TYPE_CHECKING

import numpy as np

from experiments.finding import Figure, Finding, Table, percent
from opperf.comparing.signed_rank import ALPHA, LOOKS, averages

if TYPE_CHECKING:
    from pathlib import Path

    from opperf.core.tensors.tensor import Array

METHOD = """
100,000 streams of session ratios about a true value of 1, of three symmetric shapes: the share of
them whose interval excludes 1 at any of the looks. By how the signed ranks are distributed (exact
recursion in tests/comparing) each look alone errs by less than 5 %. Then streams with a spread of
0.7, 1.4 and 2.4 % between sessions: how many sessions a verdict takes on average, within 2 %, and
how many are equivalent by the last look.
"""
STREAMS, QUICK_STREAMS = 100_000, 20_000
SPREADS = (0.007, 0.014, 0.024)
DELTA = log1p(0.02)


def run(_work: Path, *, quick: bool) -> Finding:
    """Simulate."""
    count = QUICK_STREAMS if quick else STREAMS
    figures, rows = [], []
    for shape in ("normal", "uniform", "heavy"):
        wrong = np.zeros(count, dtype=bool)
        values = streams(shape, count)
        for look, rank in LOOKS.items():
            wrong |= excludes(values[:, :look], rank)
        alpha = float(wrong.mean())
        figures.append(
            Figure(what=f"{shape} streams: wrong at any look", figure=percent(alpha),
                   target=f"<= {percent(ALPHA, 0)}", met=alpha <= ALPHA)
        )  # fmt: skip
    for spread in SPREADS:
        sessions, same, changed = simulate(spread, count // 20)
        rows.append([percent(spread, 1), f"{sessions:.1f}", percent(same, 1), percent(changed, 2)])
    headers = ("spread", "sessions, mean", "equivalent", "slower or faster")
    table = Table(caption="Equal arms", headers=headers, rows=rows)
    return Finding(
        name="E4", title="Sequential validity", method=METHOD, figures=figures, tables=[table],
        circumstances={"quick": quick},
    )  # fmt: skip


def streams(shape: str, count: int) -> Array:
    """Return streams about 0: normal, uniform, or with heavy tails (Student, 1.5)."""
    random = np.random.default_rng(4)
    size = (count, max(LOOKS))
    if shape == "uniform":
        return random.uniform(-1, 1, size)
    return random.standard_normal(size) if shape == "normal" else random.standard_t(1.5, size)


def excludes(values: Array, rank: int) -> Array:
    """Return which streams' intervals exclude 0: by the sums of ranks of either sign."""
    ranks = np.abs(values).argsort(axis=1).argsort(axis=1) + 1
    found: Array = (
        np.minimum((ranks * (values < 0)).sum(axis=1), (ranks * (values > 0)).sum(axis=1)) < rank
    )
    return found


def simulate(spread: float, count: int) -> tuple[float, float, float]:
    """Return the mean number of sessions and the shares of verdicts of equal arms."""
    used, same, changed = [], 0, 0
    for values in streams("normal", count) * spread:
        for look, rank in LOOKS.items():
            found = averages(values[:look])
            low, high = found[rank - 1], found[-rank]
            if low > DELTA or high < -DELTA:
                changed += 1
                break
            if low > -DELTA and high < DELTA:
                same += 1
                break
        used.append(look)
    return float(np.mean(used)), same / count, changed / count
