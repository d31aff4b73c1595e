"""The values of a call's tensors: drawn from a seed, the same for every framework."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from opperf.core.errors import UnsupportedError
from opperf.core.tensors.tensor import FLOATS, round_to

if TYPE_CHECKING:
    from collections.abc import Mapping

    from opperf.core.tensors.tensor import Array

FILLED = 1
"""Raised when tensors are filled otherwise, so that earlier numbers mean something else."""
SMALL_INTEGERS = 8
"""Whole numbers of which nobody knows what they are for lie below this one."""
COMPLEX = ("complex64", "complex128")
COUNTED = ("indices", "offsets", "mask")
"""Kinds that are whole numbers, also in an element type of floating point: MXNet's usual ones."""
RANGES: Mapping[str, tuple[float, float]] = {
    "uniform": (-1.0, 1.0),
    "positive": (0.5, 1.5),
    "probabilities": (0.01, 0.99),
    "zeros": (0.0, 0.0),
    "ones": (1.0, 1.0),
}
"""From where to where the values of each kind are drawn."""


def fill(
    elements: int, dtype: str, values: Mapping[str, Any], random: np.random.Generator
) -> Array:
    """Return so many elements of a type, bfloat16 held in float32.

    Args:
        elements: how many.
        dtype: of what type, by its name.
        values: `kind` and, of indices, `below`; nothing for the usual ones of the type.
        random: what they are drawn from.

    Raises:
        UnsupportedError: no tensor of this type can be made.
    """
    kind = str(values.get("kind", "uniform"))
    if dtype == "bool" or kind == "mask":
        mask: Array = random.integers(0, 2, elements)
        return mask.astype("float32" if dtype == "bfloat16" else dtype)
    low, high = RANGES.get(kind, RANGES["uniform"])
    if dtype in FLOATS and kind in COUNTED:
        return round_to(whole_numbers(elements, kind, values, random).astype("float64"), dtype)
    if dtype in FLOATS:
        drawn: Array = random.random(elements, np.float64 if dtype == "float64" else np.float32)
        drawn *= high - low
        drawn += low
        return round_to(drawn, dtype)
    if dtype in COMPLEX:
        parts: Array = random.uniform(low, high, (2, elements))
        paired: Array = parts[0] + 1j * parts[1]
        return paired.astype(dtype)
    if not dtype.startswith(("int", "uint")):
        raise UnsupportedError(f"tensors of {dtype} are not made")
    if low == high:
        return np.full(elements, int(low), dtype)
    return whole_numbers(elements, kind, values, random).astype(dtype)


def whole_numbers(
    elements: int, kind: str, values: Mapping[str, Any], random: np.random.Generator
) -> Array:
    """Return so many whole numbers from 0, ascending where they are offsets."""
    below = values.get("below") if kind in COUNTED else None
    whole: Array = random.integers(0, max(below or SMALL_INTEGERS, 1), elements)
    if kind == "offsets" and elements:
        whole.sort()
        whole[0] = 0
    return whole
