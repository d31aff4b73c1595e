"""Arguments of PyTorch's operators as a calls file states them: tensors without their elements."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import torch

from opperf.calls.format.values import Argument, CallTensor, Constant
from opperf.pytorch_benchmarks.calling.kinds import filled

CONSTANTS = (
    (torch.dtype, "dtype"),
    (torch.device, "device"),
    (torch.layout, "layout"),
    (torch.memory_format, "memory_format"),
)
MASK = {"kind": "mask"}


def record_call(overload: Any, given: tuple[Any, ...], named: dict[str, Any]) -> list[Argument]:
    """Return what an overload is given, by its schema's names and in its order.

    Defaults that the caller left out stay so; a generator of random numbers is left out.
    """
    names = [argument.name for argument in overload._schema.arguments]  # noqa: SLF001 - nothing public tells
    by_name = {**dict(zip(names, given, strict=False)), **named}
    values = {
        name: value_of(by_name[name])
        for name in names
        if name in by_name and not isinstance(by_name[name], torch.Generator)
    }
    found = filled(overload.overloadpacket.__name__, values)
    return [Argument(name, masked(value)) for name, value in found.items()]


def masked(value: Any) -> Any:
    """Return a value, its tensors of truth values as masks."""
    if isinstance(value, list):
        return [masked(item) for item in value]
    mask = isinstance(value, CallTensor) and value.dtype == "bool"
    return replace(value, values=MASK) if mask else value


def value_of(value: Any) -> Any:
    """Return a value without its elements, what JSON has no form for by its name."""
    if isinstance(value, torch.Tensor):
        return tensor_of(value)
    if isinstance(value, (list, tuple)):
        return [value_of(item) for item in value]
    for kind, name in CONSTANTS:
        if isinstance(value, kind):
            return Constant(name, name_of(value))
    known = isinstance(value, (bool, int, float, complex, str, type(None)))
    return value if known else str(value)


def tensor_of(tensor: torch.Tensor) -> CallTensor:
    """Return a tensor's shape, element type, layout, and strides where it is not contiguous."""
    strided = tensor.layout == torch.strided
    return CallTensor(
        shape=tuple(tensor.shape),
        dtype=name_of(tensor.dtype),
        strides=tuple(tensor.stride()) if strided and not tensor.is_contiguous() else None,
        layout=name_of(tensor.layout),
    )


def name_of(value: Any) -> str:
    """Return an element type, a device or a layout by its name."""
    return str(value).removeprefix("torch.")
