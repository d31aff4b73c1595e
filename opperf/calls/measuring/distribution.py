"""What the distribution of random results tells of them all."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array

DEVIATIONS = 6
"""Standard deviations that a share or a mean may be off by chance: once in 5e8 draws."""


def nan_fault(arrays: Sequence[Array]) -> str | None:
    """Return which output has NaN."""
    for position, array in enumerate(arrays):
        if np.isnan(array).any():
            return f"output {position} has NaN"
    return None


def range_fault(sample: Array, low: float, high: float) -> str | None:
    """Return that values lie outside of a range."""
    if sample.size and not (low <= sample.min() and sample.max() <= high):
        return f"output 0 has values outside of [{low:g}, {high:g}]"
    return None


def share_fault(what: str, share: float, p: float, sample: Array) -> str | None:
    """Return what is wrong with a share that is to be a probability."""
    allowed = DEVIATIONS * sqrt(p * (1 - p) / sample.size) if sample.size else 1.0
    if abs(share - p) <= allowed + 1 / max(sample.size, 1):
        return None
    return f"{share:.3%} of output 0 are {what}, expected {p:.3%}"


def mean_fault(sample: Array, mean: float, deviation: float) -> str | None:
    """Return what is wrong with the mean of what was drawn; half precision rounds it by a share."""
    if not sample.size:
        return None
    found, allowed = float(sample.mean()), DEVIATIONS * deviation / sqrt(sample.size)
    if abs(found - mean) <= allowed + deviation / 100:
        return None
    return f"the mean of output 0 is {found:.4g}, expected {mean:.4g}"
