"""A call in another element type of floating point than it was captured in."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from opperf.calls.format.values import Argument, Call, CallTensor, Constant
from opperf.core.tensors.tensor import FLOATS

if TYPE_CHECKING:
    from collections.abc import Iterator

COMPLEX = MappingProxyType(
    {"float16": "complex32", "float32": "complex64", "float64": "complex128"}
)
"""The complex type whose parts are of a type; there is none of bfloat16."""


def cast(call: Call, dtype: str | None) -> Call:
    """Return the call with all floating-point and complex numbers of this type, None for as is."""
    if dtype is None:
        return call
    arguments = (Argument(item.name, cast_value(item.value, dtype)) for item in call.arguments)
    return Call(call.operator, tuple(arguments))


def cast_value(value: Any, dtype: str) -> Any:
    """Return an argument with its tensors and element types cast."""
    if isinstance(value, list):
        return [cast_value(item, dtype) for item in value]
    if isinstance(value, CallTensor):
        return replace(value, dtype=cast_dtype(value.dtype, dtype))
    if isinstance(value, Constant) and value.kind == "dtype":
        return replace(value, name=cast_dtype(value.name, dtype))
    return value


def cast_dtype(name: str, dtype: str) -> str:
    """Return what an element type becomes; whole numbers and truth values stay."""
    if name in FLOATS:
        return dtype
    return COMPLEX.get(dtype, name) if name in COMPLEX.values() else name


def cast_away(call: Call, dtype: str | None) -> list[str]:
    """Return the element types of a call that a cast to this one replaces, in order."""
    if dtype is None:
        return []
    return [name for name in dict.fromkeys(dtypes_of(call)) if cast_dtype(name, dtype) != name]


def dtypes_of(call: Call) -> Iterator[str]:
    """Yield the element types of tensors and of arguments."""
    for argument in call.arguments:
        items = argument.value if isinstance(argument.value, list) else [argument.value]
        for item in items:
            if isinstance(item, CallTensor):
                yield item.dtype
            elif isinstance(item, Constant) and item.kind == "dtype":
                yield item.name
