"""Whether a network waits for its data: the share of a step, and how sure it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.statistics.student import quantile
from opperf.core.statistics.warning import MeasurementWarning

if TYPE_CHECKING:
    from collections.abc import Sequence

LEAST = 0.1
"""The share of a step that waiting must surely be beyond to be said."""
BLOCKS = 3
"""Fewer say nothing of how much they differ."""
CONFIDENCE = 0.95


def data_bound(
    waits: Sequence[float], steps: Sequence[float], period: int = 1
) -> MeasurementWarning | None:
    """Return a warning if the loader did not keep up.

    Args:
        waits: seconds that each batch was waited for.
        steps: seconds that each step took, the waiting included.
        period: how many processes load; their batches come together, so that many make one block.

    """
    found = waiting(waits, steps, period)
    if found is None or found[1] <= LEAST:
        return None
    share, low, high = found
    return MeasurementWarning(
        "data_bound",
        f"data-bound: {share:.0%} of the step is spent waiting for a batch"
        f" ({low:.0%} to {high:.0%} at 95 %)",
    )


def waiting(
    waits: Sequence[float], steps: Sequence[float], period: int = 1
) -> tuple[float, float, float] | None:
    """Return the share of all time that was waiting and its 95 % interval; None of few blocks.

    It is a ratio of sums, whose spread is that of the blocks with one left out (the jackknife).
    """
    period = max(1, min(period, len(steps) // BLOCKS))
    count = len(steps) // period
    total, waited = sum(steps), sum(waits)
    if count < BLOCKS or total <= 0:
        return None
    share = waited / total
    others = []
    for first in range(0, count * period, period):
        # The last block has what is left over.
        block = slice(first, None if first == (count - 1) * period else first + period)
        left = total - sum(steps[block])
        others.append((waited - sum(waits[block])) / left if left > 0 else share)
    mean = sum(others) / count
    spread = ((count - 1) / count * sum((other - mean) ** 2 for other in others)) ** 0.5
    half = quantile(1 - CONFIDENCE, count - 1) * spread
    return share, max(0.0, share - half), min(1.0, share + half)
