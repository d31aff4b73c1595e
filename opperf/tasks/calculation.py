"""From the numbers of a log to one: the compute methods of a task's metrics."""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


def average(values: Sequence[float]) -> float:
    """Return the mean, summed in the order of the log."""
    return sum(values) / len(values)


def deviation(values: Sequence[float]) -> float:
    """Return the sample's standard deviation."""
    mean = fsum(values) / len(values)
    return float((fsum((value - mean) ** 2 for value in values) / (len(values) - 1)) ** 0.5)


def slope(values: Sequence[float]) -> float:
    """Return by how much the values grow from one to the next, by least squares."""
    middle, mean = (len(values) - 1) / 2, fsum(values) / len(values)
    steps = [number - middle for number in range(len(values))]
    return fsum(s * (v - mean) for s, v in zip(steps, values, strict=True)) / fsum(
        s * s for s in steps
    )


def percentile(share: float) -> Callable[[Sequence[float]], float]:
    """Return what finds a percentile, between two values by straight interpolation."""
    return lambda values: float(np.percentile(np.asarray(values), share))


METHODS: Mapping[str, Callable[[Sequence[float]], float]] = {
    "average": average,
    "first": lambda values: values[0],
    "last": lambda values: values[-1],
    "max": max,
    "min": min,
    "p50": percentile(50),
    "p90": percentile(90),
    "p99": percentile(99),
    "slope": slope,
    "stdev": deviation,
    "total": sum,
}
FEWEST: Mapping[str, int] = {"slope": 2, "stdev": 2}
"""How many numbers a method needs; all others need one."""
