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

    from opperf.core.tensors.tensor import Array

LOOKS = {8: 3, 10: 6, 12: 10, 16: 22, 20: 38, 24: 57}
"""At how many sessions a verdict is tried, and the rank of the average that bounds the interval."""
FEWEST, FIRST, MOST = 6, min(LOOKS), max(LOOKS)
"""Sessions below which there is no interval of 95 %, at the first look, and at the last one."""
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
    """Return the interval that holds the true value; None below six values, where there is none.

    That of six or seven is their range, which misses it by 3.1 % or less: for who stops there.
    """
    rank = rank_at(len(values))
    if rank is None:
        return None
    found = averages(values)
    return float(found[rank - 1]), float(found[-rank])


def rank_at(count: int) -> int | None:
    """Return the rank of the bounds; between two looks that of the former, which is wider."""
    ranks = {FEWEST: 1, **LOOKS}
    return max((rank for look, rank in ranks.items() if look <= count), default=None)


def looks_up_to(count: int, most: int) -> list[int]:
    """Return the numbers of sessions, up to this one, at which a verdict was tried."""
    return sorted(look for look in {*LOOKS, most} if look <= min(count, most))
