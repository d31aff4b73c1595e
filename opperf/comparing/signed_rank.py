"""The interval of a ratio over sessions, by signed ranks, valid at whichever look one stops.

The unit is the session: a pair of fresh processes, one of either arm, which yields one logarithm of
a ratio. Swapping the arms would change its sign and nothing else, so that around the true value it
is spread symmetrically; no more is assumed. The averages of all pairs of values (each with itself
as well) then hold the center in their middle: the estimator and the interval of Hodges and Lehmann,
*Estimates of location based on rank tests* (1963), after Wilcoxon's test.

Looking several times and stopping at will makes errors add up. The ranks of `LOOKS` are chosen so
that over all looks together the true value is outside of an interval at any of them with a chance
of 4.9 % (`benchmarks/experiments/looks.py`; for any symmetric distribution, since signs and ranks
are all that counts).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensor import Array

LOOKS = {6: 1, 8: 1, 10: 4, 12: 8, 16: 20, 20: 36, 24: 55}
"""At how many sessions a verdict is tried, and the rank of the average that bounds the interval."""
FEWEST, MOST = min(LOOKS), max(LOOKS)
ALPHA = 0.05
"""What all looks together may err by."""


def averages(values: Sequence[float]) -> Array:
    """Return the averages of all pairs of values, each with itself as well, in ascending order."""
    found = np.asarray(values, dtype=float)
    first, second = np.triu_indices(len(found))
    return np.sort((found[first] + found[second]) / 2)


def center(values: Sequence[float]) -> float:
    """Return the estimate of the true value: the median of all averages."""
    return float(np.median(averages(values)))


def interval(values: Sequence[float]) -> tuple[float, float] | None:
    """Return the interval that holds the true value; None below six values, where there is none."""
    rank = rank_at(len(values))
    if rank is None:
        return None
    found = averages(values)
    return float(found[rank - 1]), float(found[-rank])


def rank_at(count: int) -> int | None:
    """Return the rank of the bounds; between two looks that of the former, which is wider."""
    return max((rank for look, rank in LOOKS.items() if look <= count), default=None)


def next_look(count: int, most: int) -> int | None:
    """Return the next number of sessions at which to try, None where there is none up to `most`."""
    return min((look for look in {*LOOKS, most} if count < look <= most), default=None)
