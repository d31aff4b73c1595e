"""What a call is given, as the child that measures it sees it: plain Python, read from JSON."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


@dataclass(frozen=True)
class CallTensor:
    """A tensor to make; `strides` in elements, None if contiguous; `values` say what it holds."""

    shape: tuple[int, ...]
    dtype: str
    strides: tuple[int, ...] | None = None
    layout: str = "strided"
    stored: int | None = None
    coalesced: bool | None = None
    values: Mapping[str, Any] | None = None

    @property
    def elements(self) -> int:
        """How many elements it has."""
        return prod(self.shape)


@dataclass(frozen=True)
class Constant:
    """A value that JSON has no form for: of a `kind` such as dtype or device, and its name."""

    kind: str
    name: str


@dataclass(frozen=True)
class Argument:
    """An argument of a call; without a name it stands by its position."""

    name: str | None
    value: Any


@dataclass(frozen=True)
class Call:
    """An operator and what it is given."""

    operator: str
    arguments: tuple[Argument, ...]

    def tensors(self) -> Iterator[tuple[str, CallTensor]]:
        """Yield each tensor with its argument's name, numbered where that is a list."""
        for position, argument in enumerate(self.arguments):
            name = argument.name or str(position)
            if isinstance(argument.value, CallTensor):
                yield name, argument.value
            elif isinstance(argument.value, list):
                for number, item in enumerate(argument.value):
                    if isinstance(item, CallTensor):
                        yield f"{name}[{number}]", item


def call_from(document: Mapping[str, Any]) -> Call:
    """Return the call that a valid record of a calls file states."""
    arguments = (
        Argument(item.get("name"), value_from(item["value"]))
        for item in document.get("arguments", ())
    )
    return Call(document["operator"], tuple(arguments))


def value_from(value: Any) -> Any:
    """Return an argument's value, its tensors and constants as such."""
    if isinstance(value, (list, tuple)):
        return [value_from(item) for item in value]
    if not isinstance(value, dict):
        return value
    if value["type"] == "constant":
        return Constant(value["kind"], value["name"])
    strides = value.get("strides")
    return CallTensor(
        shape=tuple(value["shape"]),
        dtype=value["dtype"],
        strides=None if strides is None else tuple(strides),
        layout=value.get("layout", "strided"),
        stored=value.get("stored"),
        coalesced=value.get("coalesced"),
        values=value.get("values"),
    )
