"""Merging what a user asks for into an operator's defaults, and telling what does not fit."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf, isfinite
from typing import Any, cast

import numpy as np

from opperf.core.errors import UsageError, quote, unknown
from opperf.core.tensors.bounds import LARGEST_WHOLE, require_shape


def require_dictionary(operator: str, inputs: object) -> None:
    """Refuse inputs that are not given by name."""
    if not isinstance(inputs, Mapping):
        raise UsageError(
            f"{operator}: inputs={quote(inputs)}: must be a dictionary of inputs by name"
        )


def merge_inputs(
    operator: str, defaults: Mapping[str, object], inputs: Mapping[str, object]
) -> dict[str, Any]:
    """Return the defaults with the given values in their place; neither mapping is changed."""
    merged = dict(defaults)
    for name, value in inputs.items():
        if name not in defaults:
            raise UsageError(unknown("input", name, defaults, f" of {operator}"))
        merged[name] = convert(f"{operator}: {name}={quote(value)}", value, defaults[name])
    return merged


def expand(inputs: Mapping[str, object]) -> list[dict[str, object]]:
    """Return one set of inputs for each shape, where inputs are given as lists of shapes.

    Lists go together, first with first; an input that is no list stays the same throughout.

    Raises:
        UsageError: the lists differ in length.
    """
    if not isinstance(inputs, dict):
        raise UsageError(
            f"inputs={quote(inputs)}: must be a dictionary such as {{'dtype': 'float64'}}"
        )
    lists = {name: value for name, value in inputs.items() if is_list_of_shapes(value)}
    lengths = {name: len(cast("list[object]", value)) for name, value in lists.items()}
    if len(set(lengths.values())) > 1:
        raise UsageError(f"lists of shapes must have equal lengths, not {lengths}")
    points = next(iter(lengths.values()), 1)
    return [
        {
            name: cast("list[object]", value)[point] if name in lists else value
            for name, value in inputs.items()
        }
        for point in range(points)
    ]


def is_list_of_shapes(value: object) -> bool:
    """Return whether this is several shapes and not one."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(shape, (tuple, list)) for shape in value)
    )


def convert(label: str, value: object, default: object) -> object:
    """Return the value as the kind of thing the default is; `label` opens the error."""
    if isinstance(default, tuple):
        return as_shape(label, value, least=0 if 0 in default else 1)  # axes are counted from 0
    if isinstance(default, bool):
        if not isinstance(value, bool):
            raise UsageError(f"{label}: must be True or False")
    elif isinstance(default, (int, float)):
        return as_number(label, value, type(default))
    elif isinstance(default, str):
        return as_dtype_name(value)
    return value


def as_dtype_name(value: object) -> object:
    """Return the name of a dtype; float is float32 to the frameworks, as to the older package."""
    if isinstance(value, np.dtype):
        return str(value)
    if value in ("float", float):
        return "float32"
    return str(np.dtype(value)) if isinstance(value, type) else value


def as_number(label: str, value: object, kind: type[int | float]) -> object:
    """Return a finite number; whole where the default is."""
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if kind is int and whole:
        if abs(count := int(cast("int", value))) > LARGEST_WHOLE:
            raise UsageError(f"{label}: must be a whole number below 2**63, of either sign")
        return count
    if kind is float and (whole or isinstance(value, (float, np.floating))):
        number = to_float(value)
        if isfinite(number):
            return number
    raise UsageError(f"{label}: must be a {'whole' if kind is int else 'finite'} number")


def to_float(value: Any) -> float:
    """Return the nearest float; infinity for a whole number that has none."""
    try:
        return float(value)
    except OverflowError:
        return inf


def as_shape(label: str, value: object, least: int = 1) -> tuple[int, ...]:
    """Return a shape of whole numbers from `least` on; one number stands for one dimension."""
    sizes = (value,) if isinstance(value, (int, np.integer)) else value
    if not isinstance(sizes, (tuple, list)) or any(
        isinstance(size, bool) or not isinstance(size, (int, np.integer)) for size in sizes
    ):
        raise UsageError(f"{label}: must be a shape, a tuple of whole numbers such as (64, 64)")
    shape = tuple(int(size) for size in sizes)
    require_shape(label, shape, least)
    return shape
