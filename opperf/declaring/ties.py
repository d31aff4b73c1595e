"""Ties: among equal elements several positions are right, and no derivative exists."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from opperf.declaring.declaration import Declaration

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.checking.check import Check
    from opperf.core.checking.correctness import Comparison
    from opperf.core.tensors.tensor import Array


def find_ties(data: Array, axis: int) -> Array:
    """Return which elements equal another one along the axis."""
    order = np.argsort(data, axis=axis)
    values = np.moveaxis(np.take_along_axis(data, order, axis), axis, -1)
    alike = values[..., 1:] == values[..., :-1]
    edge = np.zeros((*values.shape[:-1], 1), dtype=bool)
    either = np.concatenate((edge, alike), -1) | np.concatenate((alike, edge), -1)
    result = np.empty(data.shape, dtype=bool)
    np.put_along_axis(result, order, np.moveaxis(either, -1, axis), axis)
    return result


def settle(data: Array, actual: Array, expected: Array, axis: int) -> Array:
    """Return the expected positions, replaced by those found where both hold equal elements.

    Positions out of range or repeated are invalid: then nothing is replaced.
    """
    found = actual.astype(np.int64)
    if found.shape != expected.shape or not are_positions(found, data.shape[axis], axis):
        return expected
    equal = np.take_along_axis(data, found, axis) == np.take_along_axis(data, expected, axis)
    return np.where(equal, found, expected)


def are_positions(positions: Array, length: int, axis: int) -> bool:
    """Return whether these are distinct positions along an axis of this length."""
    inside = (positions >= 0) & (positions < length)
    different = np.diff(np.sort(positions, axis=axis), axis=axis) > 0
    return bool(inside.all() and different.all())


def leave_out(arrays: Mapping[str, Array], places: Array) -> dict[str, Array]:
    """Return the arrays of the shape of `places` with zeros at these places."""
    return {
        name: np.where(places, 0, array) if array.shape == places.shape else array
        for name, array in arrays.items()
    }


class TieSensitive(Declaration, abstract=True):
    """An operator that selects elements by comparing them; ties have no derivative."""

    flops_per_element = 0  # comparisons are no floating-point operations

    def ties(self, arrays: Sequence[Array]) -> Array:
        """Return where another choice among the elements of an input is equally right."""
        raise NotImplementedError

    def check_gradients(self, check: Check[Mapping[str, Array]]) -> Comparison:
        """Compare the gradients except at ties, where equal elements may share it in any way."""
        places = self.ties(check.arrays)
        actual, expected = (leave_out(each, places) for each in (check.actual, check.expected))
        return super().check_gradients(replace(check, actual=actual, expected=expected))
