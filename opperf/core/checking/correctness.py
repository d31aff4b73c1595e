"""Correctness before time: a framework's outputs and gradients against the float64 reference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from opperf.core.checking.tolerance import EXACT
from opperf.core.tensors.tensor import FLOATS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from opperf.core.checking.tolerance import Bound
    from opperf.core.tensors.tensor import Array

PART = 2**15
"""Elements that are compared at a time."""
SMALLEST_SQUARES = 1e-280
"""A sum of squares below which single ones may have been lost."""
LARGEST = float(np.finfo(float).max)
"""What stands for an error whose share of the scale is beyond what a float holds."""


@dataclass(frozen=True)
class Comparison:
    """How far values are from the expected ones; `fault` names the first thing that is wrong.

    `max_rel_error` is of the scale that the bound allows a share of: the element's own size and,
    where sums cancel, a share of the tensor's root mean square.
    """

    max_abs_error: float = 0.0
    max_rel_error: float = 0.0
    fault: str | None = None

    def worst(self, other: Comparison) -> Comparison:
        """Return the larger errors of the two, and the first fault."""
        return Comparison(
            max(self.max_abs_error, other.max_abs_error),
            max(self.max_rel_error, other.max_rel_error),
            self.fault or other.fault,
        )


class Outputs(list["Array"]):
    """A framework's outputs as arrays, and the element types of the tensors that they were.

    The arrays alone do not tell: one of bfloat16 is held in float32. `are_views` says that each of
    the tensors lies in the memory of an input that is left as it was.
    """

    def __init__(
        self, arrays: Iterable[Array], dtypes: Iterable[str], *, are_views: bool = False
    ) -> None:
        super().__init__(arrays)
        self.dtypes = tuple(dtypes)
        self.are_views = are_views


def compare_dtypes(actual: Sequence[Array], expected: Sequence[str]) -> Comparison:
    """Return the first output whose element type is not the floating-point one expected.

    Whole numbers and truth values may come in any type; plain arrays stand for themselves.
    """
    if isinstance(actual, Outputs):
        found: Sequence[str] = actual.dtypes
    else:
        found = [str(array.dtype) for array in actual]
    # That outputs are missing is found where their values are compared.
    for position, (one, other) in enumerate(zip(found, expected, strict=False)):
        if other in FLOATS and one != other:
            return Comparison(fault=f"output {position} is {one}, expected {other}")
    return Comparison()


def compare(name: str, actual: Array, expected: Array, bound: Bound) -> Comparison:
    """Return how far `actual` is from `expected`, whose shape and non-finite places must match."""
    if actual.shape != expected.shape:
        return Comparison(fault=f"{name} has shape {actual.shape}, expected {expected.shape}")
    if actual.size == 0:
        return Comparison()
    if expected.dtype.kind in "biu":
        bound = EXACT  # positions: in a long row the next one would be within any share of it
    actual, expected = np.asarray(actual, dtype=float), np.asarray(expected, dtype=float)
    finite = np.isfinite(expected)
    if not finite.all():
        if not np.array_equal(actual[~finite], expected[~finite], equal_nan=True):
            fault = f"{name} differs from the reference in its NaN or infinite values"
            return Comparison(fault=fault)
        actual, expected = actual[finite], expected[finite]
    if not np.isfinite(actual).all():
        return Comparison(fault=f"{name} is NaN or infinite where the reference is finite")
    return compare_finite(name, actual, expected, bound)


def compare_finite(name: str, actual: Array, expected: Array, bound: Bound) -> Comparison:
    """Compare values that are all finite, part by part: a part stays in the cache."""
    actual, expected = actual.ravel(), expected.ravel()
    # A size of zero means that all of the reference is zero: any error then stands for itself.
    added = bound.share * (root_mean_square(expected) or 1.0) if bound.atol else 0.0
    largest, worst, at = 0.0, 0.0, 0
    for start in range(0, expected.size, PART):
        part = slice(start, start + PART)
        error = np.abs(actual[part] - expected[part])
        largest = max(largest, float(error.max()))
        scale = np.abs(expected[part])
        scale += added
        np.maximum(scale, bound.smallest, out=scale)
        with np.errstate(over="ignore"):
            relative = np.divide(error, scale, out=error)
        position = int(relative.argmax())
        if relative[position] > worst:
            worst, at = float(relative[position]), start + position
    fault = None
    if worst > bound.rtol:
        fault = (
            f"{name} is {actual[at]:.9g} where the reference is {expected[at]:.9g} "
            f"(error {worst:.2g} of the scale, allowed {bound.rtol:.2g})"
        )
    return Comparison(largest, min(worst, LARGEST), fault)


def root_mean_square(values: Array) -> float:
    """Return the typical size, even of values whose squares are beyond what a float holds."""
    flat = values.ravel()
    squares = float(np.dot(flat, flat))
    if SMALLEST_SQUARES < squares < np.inf:
        return float(np.sqrt(squares / flat.size))
    largest = float(np.abs(flat).max(initial=0.0))
    if not largest:
        return 0.0
    scaled = flat / largest
    return largest * float(np.sqrt(np.dot(scaled, scaled) / flat.size))


def compare_all(
    actual: Mapping[str, Array], expected: Mapping[str, Array], bound: Bound
) -> Comparison:
    """Compare arrays by name and report the first fault."""
    if len(actual) != len(expected):
        return Comparison(fault=f"{len(actual)} results where the reference has {len(expected)}")
    result = Comparison()
    for name, array in expected.items():
        result = result.worst(compare(name, actual[name], array, bound))
    return result


def named_outputs(arrays: Sequence[Array]) -> dict[str, Array]:
    """Return outputs under the names that faults give them."""
    return {f"output {position}": array for position, array in enumerate(arrays)}
