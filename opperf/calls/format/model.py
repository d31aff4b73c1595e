"""The calls file: which operators a network calls, with which arguments, and how often.

History of the format:

* opperf.calls/1 (2026-11): the first.
"""

from __future__ import annotations

from math import prod
from typing import Annotated, Any, Literal

from msgspec import Meta, field

from opperf.core.results.parts import Part, Positive, written

SCHEMA: Literal["opperf.calls/1"] = "opperf.calls/1"
MOST_DIMENSIONS = 64
MOST_ELEMENTS = 2**62
"""Of a tensor, and of the memory that its strides reach into: what a 64-bit offset can name."""

Size = Annotated[int, Meta(ge=0, le=MOST_ELEMENTS)]
Name = Annotated[str, Meta(pattern="^[a-z][a-z0-9_]*$", max_length=40)]
"""Of an element type or a layout, as the framework calls it."""
LEAST_INTEGER, LARGEST_INTEGER = -(2**63), 2**63 - 1
Integer = Annotated[int, Meta(ge=LEAST_INTEGER, le=LARGEST_INTEGER)]
Phase = Literal["forward", "backward"]


class StrictPart(Part, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part that refuses what it does not know: a misspelled field would change what is called."""


class ValuesRecord(StrictPart, frozen=True, kw_only=True):
    """What a tensor holds where a call's work or its being allowed depends on it."""

    kind: Annotated[
        Literal[
            "uniform", "indices", "offsets", "mask", "probabilities", "positive", "zeros", "ones"
        ],
        written("how elements are drawn, from a seed; offsets rise from 0"),
    ]
    below: Annotated[Size | None, written("indices are 0 <= index < below, and offsets")] = None


class TensorRecord(StrictPart, frozen=True, kw_only=True, tag="tensor", tag_field="type"):
    """A tensor: its shape, its element type, and how it lies in memory."""

    shape: Annotated[tuple[Size, ...], Meta(max_length=MOST_DIMENSIONS)]
    dtype: Name
    strides: Annotated[
        Annotated[tuple[Size, ...], Meta(max_length=MOST_DIMENSIONS)] | None,
        written("in elements; null for contiguous"),
    ] = None
    layout: Annotated[Name, written("strided, or sparse_coo and the like")] = "strided"
    stored: Annotated[Size | None, written("elements that a sparse tensor stores")] = None
    coalesced: Annotated[
        bool | None, written("whether a sparse tensor stores each of them once")
    ] = None
    values: ValuesRecord | None = None

    def __post_init__(self) -> None:
        """Refuse strides that do not fit the shape, and what no 64-bit offset reaches."""
        strides = self.strides
        if strides is not None and len(strides) != len(self.shape):
            raise ValueError(f"a tensor with {len(self.shape)} strides, one a dimension")
        if prod(self.shape) > MOST_ELEMENTS:
            raise ValueError("a tensor of at most 2^62 elements")
        if strides and self.reach(strides) > MOST_ELEMENTS:
            raise ValueError("a tensor whose strides reach at most 2^62 elements far")

    def reach(self, strides: tuple[int, ...]) -> int:
        """Return how many elements lie before the last one in memory."""
        steps = ((n - 1) * by for n, by in zip(self.shape, strides, strict=True))
        return sum(steps) if all(self.shape) else 0


class ConstantRecord(StrictPart, frozen=True, kw_only=True, tag="constant", tag_field="type"):
    """A value that JSON has no form for: an element type, a device, an infinity."""

    kind: Literal["dtype", "device", "layout", "memory_format", "float", "complex"]
    name: Annotated[str, written('such as "float16", "cuda", "strided", "-inf", "nan", "1+2j"')]


Item = TensorRecord | ConstantRecord | bool | Integer | float | str | None
Value = Item | tuple[Item, ...]


class ArgumentRecord(StrictPart, frozen=True, kw_only=True):
    """An argument of a call, by name or by its position among the others."""

    name: Annotated[
        Annotated[str, Meta(pattern="^[A-Za-z_][A-Za-z0-9_]*$", max_length=200)] | None,
        written("null where only its position is known"),
    ] = None
    value: Value


class GrowthRecord(StrictPart, frozen=True, kw_only=True):
    """By how much a tensor is larger for each further example of the batch."""

    shape: Annotated[tuple[Size, ...], Meta(max_length=MOST_DIMENSIONS)]
    strides: Annotated[
        Annotated[tuple[Size, ...], Meta(max_length=MOST_DIMENSIONS)] | None,
        written("null where it is contiguous with every batch"),
    ] = None
    below: Annotated[Size, written("what its indices lie below")] = 0


Growth = GrowthRecord | Integer | tuple[GrowthRecord | Integer | None, ...] | None


class PlaceRecord(StrictPart, frozen=True, kw_only=True):
    """Where in the network a call is made, and how often there."""

    module: Annotated[str, written('the module\'s path, such as "layer1.0.conv2"')]
    phase: Phase
    count: Positive


class CallRecord(StrictPart, frozen=True, kw_only=True):
    """A distinct call: an operator on its arguments, and how often one step makes it."""

    operator: Annotated[
        Annotated[str, Meta(pattern=r"^[A-Za-z_][A-Za-z0-9_.:]*$", max_length=200)],
        written("the framework's own name of the overload, such as aten.mm.default"),
    ]
    arguments: tuple[ArgumentRecord, ...] = ()
    count: Positive
    places: tuple[PlaceRecord, ...] = ()
    per_example: Annotated[
        tuple[Growth, ...] | None,
        written(
            "by how much each argument grows with each further example of the batch; "
            "empty where none does, null where that is not known"
        ),
    ] = None

    def __post_init__(self) -> None:
        """Refuse growth of other arguments than there are."""
        if self.per_example and len(self.per_example) != len(self.arguments):
            raise ValueError("a call whose per_example is empty or has an entry an argument")


class CallsRecord(StrictPart, frozen=True, kw_only=True, omit_defaults=False):
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
    kind: Annotated[
        Name | None,
        written("what the network's name is one of, such as builtin or factory; null if unknown"),
    ] = None
    measured: Annotated[
        dict[str, Any],
        written("seconds of the whole network, where it was there to be timed"),
    ] = field(default_factory=dict)
    calls: Annotated[tuple[CallRecord, ...], written("each once", minItems=1)]
