"""Description of a call for its record, without the framework."""

from __future__ import annotations

from math import prod
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from opperf.calls.declared.category import category_of, declaration_of
from opperf.calls.format.values import CallTensor, Constant
from opperf.calls.measuring.filling import FILLED
from opperf.core.results.identity import CALL, digest
from opperf.core.results.outcome import Subject
from opperf.core.tensors.tensor import CONTIGUOUS, FLOATS, ITEMSIZE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opperf.calls.format.values import Argument, Call
    from opperf.core.configuration.settings import Settings

BYTES = MappingProxyType(
    {
        **ITEMSIZE, "uint8": 1, "int16": 2, "uint16": 2, "uint32": 4, "uint64": 8,
        "complex32": 4, "complex64": 8, "complex128": 16,
    }
)  # fmt: skip
IN_LIST = "tensor"
"""What stands for a tensor in a list that holds other values as well."""
Counts = tuple["int | None", "int | None"]
"""FLOP and bytes."""


def describe_call(
    call: Call,
    framework: str,
    device: str,
    settings: Settings,
    counts: Counts = (None, None),
    implementation: str | None = None,
) -> Subject:
    """Return what is measured, as its record states it.

    Args:
        call: what is called, in the element types that are measured.
        framework: whose operator it is.
        device: where it is measured.
        settings: how it is measured.
        counts: FLOP and bytes, as far as they are known.
        implementation: what is called by its dotted name, once that is known.

    """
    declared = declaration_of(call, framework)
    return Subject(
        kind=CALL,
        operator={
            "name": call.operator,
            "category": category_of(call, framework),
            "framework": framework,
            "implementation": implementation,
            "size": None,
            "fused": None,
            "device": device,
            "cache": settings.cache,
            "process": settings.process,
            "cores": settings.cores,
            "threads": settings.threads,
            **({"declaration": declared.declaration} if declared else {}),
        },
        inputs=describe_tensors(call),
        attributes=attributes_of(call),
        initializer=values_text(call),
        seed=settings.seed,
        threads=settings.threads,
        counts={"forward": counts},
        output_bytes=None,
        definition={"dtype": computed_in(call), "flop_count": counts[0], "filled": FILLED},
    )


def call_key(call: Call) -> str:
    """Return what stands for a call among those of its operator: what it is given."""
    return digest([call.operator, describe_tensors(call), attributes_of(call), values_text(call)])


def describe_tensors(call: Call) -> list[dict[str, Any]]:
    """Return name, shape, dtype, layout and bytes of each tensor."""
    return [
        {"name": name, "shape": list(tensor.shape), "dtype": tensor.dtype}
        | {"layout": layout_text(tensor), "nbytes": bytes_of(tensor)}
        for name, tensor in call.tensors()
    ]


def layout_text(tensor: CallTensor) -> str:
    """Return "contiguous", "strides (1, 512)", or what kind of storage it is."""
    if tensor.layout != "strided":
        return tensor.layout
    if tensor.strides in (None, contiguous(tensor.shape)):
        return CONTIGUOUS
    return f"strides ({', '.join(map(str, tensor.strides or ()))})"


def contiguous(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the strides of a tensor that lies row by row, in elements."""
    return tuple(prod(max(size, 1) for size in shape[axis + 1 :]) for axis in range(len(shape)))


def reach(tensor: CallTensor) -> int:
    """Return how many elements of memory a tensor needs, from its first one to its last one."""
    if not tensor.elements or tensor.strides is None:
        return tensor.elements
    pairs = zip(tensor.shape, tensor.strides, strict=True)
    return 1 + sum((size - 1) * stride for size, stride in pairs)


def bytes_of(tensor: CallTensor) -> int | None:
    """Return the bytes of a tensor's elements, each memory counted once: an expanded one has few.

    None for an element type of unknown size.
    """
    size = BYTES.get(tensor.dtype)
    return None if size is None else min(tensor.elements, reach(tensor)) * size


def attributes_of(call: Call) -> dict[str, Any]:
    """Return the arguments that are no tensors, by name or by position."""
    named = ((item.name or str(at), item) for at, item in enumerate(call.arguments))
    return {name: plain(item.value) for name, item in named if not only_tensors(item)}


def only_tensors(argument: Argument) -> bool:
    """Return whether an argument is a tensor, or a list of nothing else."""
    value = argument.value
    items = value if isinstance(value, list) and value else [value]
    return all(isinstance(item, CallTensor) for item in items)


def plain(value: Any) -> Any:
    """Return an argument's value as JSON has it."""
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, CallTensor):
        return IN_LIST
    return value.name if isinstance(value, Constant) else value


def values_text(call: Call) -> str | None:
    """Return how tensors are filled where the calls file says so: "indices below 30522 (1)"."""
    filled = [f"{text_of(t.values)} ({name})" for name, t in call.tensors() if t.values]
    return ", ".join(filled) or None


def text_of(values: Mapping[str, Any]) -> str:
    """Return "indices below 30522"."""
    below = values.get("below")
    return str(values["kind"]) + ("" if below is None else f" below {below}")


def computed_in(call: Call) -> str | None:
    """Return the element type of the first tensor of floating point, else of the first one."""
    found = [tensor.dtype for _, tensor in call.tensors()]
    return next(iter([*filter(is_float, found), *found]), None)


def is_float(dtype: str) -> bool:
    """Return whether an element type is one of floating point."""
    return dtype in FLOATS


def floats_of(call: Call) -> Iterator[str]:
    """Yield the floating-point types of a call's tensors."""
    yield from filter(is_float, (tensor.dtype for _, tensor in call.tensors()))
