"""Tensors as declared, and the host arrays that fill them, the same in every framework."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, inf, isfinite
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from opperf.core.errors import UsageError, unknown

Array: TypeAlias = NDArray[Any]
Shape: TypeAlias = tuple[int, ...]
Initializer: TypeAlias = Callable[[np.random.Generator, Shape, float, float], Array]

FLOATS = ("float64", "float32", "float16", "bfloat16")
WIDE = ("float64", "float32")
"""Where half precision does not exist in any framework, or would not be meant."""
INTEGERS = ("int64", "int32", "int8")
ITEMSIZE = {
    "float64": 8, "float32": 4, "float16": 2, "bfloat16": 2,
    "int64": 8, "int32": 4, "int8": 1, "bool": 1,
}  # fmt: skip
DTYPES = (*FLOATS, *INTEGERS)
CONTIGUOUS, TRANSPOSED, CHANNELS_LAST = LAYOUTS = ("contiguous", "transposed", "channels_last")
"""How a tensor lies in memory: row by row, with its last two axes exchanged, or with the channels
(its second axis) last."""


def usual_dtype(dtypes: Sequence[str], dtype: str = "float32") -> str:
    """Return the dtype asked for; of operators on whole numbers only, their first for float32."""
    only_whole = not set(dtypes) & set(FLOATS)
    return dtypes[0] if only_whole and dtype == "float32" else dtype


@dataclass(frozen=True, kw_only=True)
class Tensor:
    """A tensor argument whose values lie in [low, high]; `dtype` None follows the operator's.

    `differentiable` says whether a gradient by it exists; `mutated` that the operator changes it,
    and `state` that it does so in training, beside its output. `initializer` fills it whatever the
    operator's own is: coordinates into another tensor, say, follow no distribution of one's choice.
    `layout` is how it lies in memory, whatever its shape.
    """

    low: float = -inf
    high: float = inf
    dtype: str | None = None
    differentiable: bool = True
    mutated: bool = False
    state: bool = False
    initializer: Initializer | None = None
    layout: str = CONTIGUOUS


def normal(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
    """Draw standard normal values, mirrored at the bound where there is one.

    Between two bounds six standard deviations span the range, and the rest is cut off.
    """
    values = random.standard_normal(shape)
    if isfinite(low) and isfinite(high):
        values = (low + high) / 2 + values * (high - low) / 6
    elif isfinite(low):
        values = low + np.abs(values - low)
    elif isfinite(high):
        values = high - np.abs(high - values)
    return np.clip(values, low, high) if isfinite(low) or isfinite(high) else values


def uniform(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
    """Draw uniform values; where a range has no bound, one unit from zero or the other bound."""
    bottom = low if isfinite(low) else min(-1.0, high - 1)
    top = high if isfinite(high) else max(1.0, bottom + 1)
    return random.uniform(bottom, top, shape)


INITIALIZERS: Mapping[str, Initializer] = {"normal": normal, "uniform": uniform}


def find_initializer(value: object) -> Initializer:
    """Return an initializer from its name, or the function itself."""
    if callable(value):
        return value
    if isinstance(value, str) and value in INITIALIZERS:
        return INITIALIZERS[value]
    raise UsageError(unknown("initializer", value, INITIALIZERS))


def fill(
    tensors: Mapping[str, Tensor],
    shapes: Mapping[str, Shape],
    *,
    dtype: str,
    initializer: Initializer,
    seed: int,
) -> dict[str, Array]:
    """Return one array a tensor, of the dtype's own values, equal for equal seeds everywhere."""
    arrays = {}
    for index, (name, tensor) in enumerate(tensors.items()):
        random = np.random.default_rng((seed, index))
        draw = tensor.initializer or initializer
        values = draw(random, shapes[name], tensor.low, tensor.high)
        kind = tensor.dtype or dtype
        if kind in INTEGERS:
            values = spread(values, tensor)
        arrays[name] = round_to(values, kind)
    return arrays


def spread(values: Array, tensor: Tensor) -> Array:
    """Return whole numbers within the range; an open range gets -8 to 8, so products stay small."""
    if not isfinite(tensor.low) or not isfinite(tensor.high):
        values = np.clip(values * 3, max(tensor.low, -8), min(tensor.high, 8))
    return np.clip(np.rint(values), ceil(max(tensor.low, -128)), floor(min(tensor.high, 2**31)))


def round_to(values: Array, dtype: str) -> Array:
    """Return the values as the dtype would hold them; bfloat16 is held in float32, exactly."""
    if dtype == "bfloat16":
        bits = np.asarray(values, dtype=np.float32, order="C").view(np.uint32)
        rounded = bits + 0x7FFF + ((bits >> 16) & 1)
        return (rounded & np.uint32(0xFFFF0000)).astype(np.uint32).view(np.float32)
    return np.asarray(values, dtype=dtype, order="C")
