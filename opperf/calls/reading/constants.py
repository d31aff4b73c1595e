"""Values that JSON has no form for, by the names that frameworks give them."""

from __future__ import annotations

from math import isfinite

from opperf.calls.format.model import (
    LARGEST_INTEGER,
    LEAST_INTEGER,
    ConstantRecord,
    Item,
    TensorRecord,
    Value,
)
from opperf.core.errors import UsageError, quote

DTYPES = (
    "float64", "float32", "float16", "bfloat16", "complex32", "complex64", "complex128", "int64",
    "int32", "int16", "int8", "uint8", "bool",
)  # fmt: skip
"""Those that every framework's calls so far have used; a calls file may name others."""
LAYOUTS = ("strided", "sparse_coo", "sparse_csr", "sparse_csc", "sparse_bsr", "sparse_bsc")
MEMORY_FORMATS = ("contiguous_format", "preserve_format", "channels_last", "channels_last_3d")


def value_of(value: object) -> Value:
    """Return a plain value as a calls file has it, lists and tuples as such.

    Raises:
        UsageError: A calls file has no place for it.
    """
    if isinstance(value, (list, tuple)):
        return tuple(item_of(item) for item in value)
    return item_of(value)


def item_of(value: object) -> Item:
    """Return a value that is no list; a number that JSON cannot write stands by its name."""
    if isinstance(value, complex):
        return ConstantRecord(kind="complex", name=str(value).strip("()"))
    if isinstance(value, float) and not isfinite(value):
        return ConstantRecord(kind="float", name=str(value))
    if isinstance(value, int) and not LEAST_INTEGER <= value <= LARGEST_INTEGER:
        raise UsageError(f"the integer {quote(value)} has more than 64 bits")
    if value is None or isinstance(value, (TensorRecord, ConstantRecord, int, float, str)):
        return value
    raise UsageError(f"{quote(value)} is no argument, or is nested too deeply")


def dtype(name: str) -> ConstantRecord:
    """Return an element type as an argument."""
    return ConstantRecord(kind="dtype", name=name)


def device(name: str) -> ConstantRecord:
    """Return a device as an argument."""
    return ConstantRecord(kind="device", name=name)


def layout(name: str) -> ConstantRecord:
    """Return how a tensor stores its elements as an argument."""
    return ConstantRecord(kind="layout", name=name)


def memory_format(name: str) -> ConstantRecord:
    """Return in which order a tensor's elements lie as an argument."""
    return ConstantRecord(kind="memory_format", name=name)
