"""The calls file: which operators a network calls, with which arguments, and how often.

History of the format:

* opperf.calls/1 (2026-11): the first.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, field

from opperf.core.results.parts import Part, Positive, written

SCHEMA = "opperf.calls/1"
MOST_DIMENSIONS = 64

Size = Annotated[int, Meta(ge=0, le=2**62)]
Phase = Literal["forward", "backward"]


class ValuesRecord(Part, frozen=True, kw_only=True):
    """What a tensor holds where a call's work or its being allowed depends on it."""

    kind: Annotated[
        Literal["uniform", "indices", "mask", "probabilities", "zeros", "ones"],
        written("how elements are drawn, from a seed"),
    ]
    below: Annotated[Size | None, written("indices are 0 <= index < below")] = None


class TensorRecord(Part, frozen=True, kw_only=True, tag="tensor", tag_field="type"):
    """A tensor: its shape, its element type, and how it lies in memory."""

    shape: Annotated[tuple[Size, ...], Meta(max_length=MOST_DIMENSIONS)]
    dtype: str
    strides: Annotated[
        Annotated[tuple[Size, ...], Meta(max_length=MOST_DIMENSIONS)] | None,
        written("in elements; null for contiguous"),
    ] = None
    layout: Annotated[str, written("strided, or sparse_coo and the like")] = "strided"
    values: ValuesRecord | None = None


class ConstantRecord(Part, frozen=True, kw_only=True, tag="constant", tag_field="type"):
    """A value that JSON has no form for: an element type, a device, an infinity."""

    kind: Literal["dtype", "device", "layout", "memory_format", "float", "complex"]
    name: Annotated[str, written('such as "float16", "cuda", "strided", "-inf", "nan", "1+2j"')]


Item = TensorRecord | ConstantRecord | bool | int | float | str | None
Value = Item | tuple[Item, ...]


class ArgumentRecord(Part, frozen=True, kw_only=True):
    """An argument of a call, by name or by its position among the others."""

    name: Annotated[str | None, written("null where only its position is known")] = None
    value: Value


class PlaceRecord(Part, frozen=True, kw_only=True):
    """Where in the network a call is made, and how often there."""

    module: Annotated[str, written('the module\'s path, such as "layer1.0.conv2"')]
    phase: Phase
    count: Positive


class CallRecord(Part, frozen=True, kw_only=True):
    """A distinct call: an operator on its arguments, and how often one step makes it."""

    operator: Annotated[
        Annotated[str, Meta(min_length=1)],
        written("the framework's own name of the overload, such as aten.mm.default"),
    ]
    arguments: tuple[ArgumentRecord, ...] = ()
    count: Positive
    places: tuple[PlaceRecord, ...] = ()


class CallsRecord(Part, frozen=True, kw_only=True):
    """The operator calls of one step of a network."""

    schema: Literal["opperf.calls/1"] = SCHEMA
    network: str
    framework: str
    framework_version: str | None = None
    mode: Literal["inference", "training"] | None = None
    batch: Positive | None = None
    device: str | None = None
    source: Annotated[
        str | None, written("what the calls were taken from: a capture, a trace, a log")
    ] = None
    measured: Annotated[
        dict[str, Any],
        written("seconds of the whole network, where it was there to be timed"),
    ] = field(default_factory=dict)
    calls: tuple[CallRecord, ...]
