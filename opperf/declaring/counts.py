"""FLOP and memory traffic of one call, computed from the declaration."""

from __future__ import annotations

from math import prod
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from opperf.core.tensors.tensor import ITEMSIZE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from opperf.core.tensors.tensor import Shape, Tensor

NOTHING: Mapping[str, str] = MappingProxyType({})


def on_and_below_diagonal(rows: int, columns: int) -> int:
    """Return the number of elements on and below a matrix's diagonal."""
    square = min(rows, columns)
    return square * (square + 1) // 2 + (rows - square) * columns


def on_and_above_diagonal(rows: int, columns: int) -> int:
    """Return the number of elements on and above a matrix's diagonal."""
    square = min(rows, columns)
    return square * columns - square * (square - 1) // 2


class Counts:
    """Least FLOP and least memory traffic of one call of an operator.

    `unread` says of an input why none of its values is read; `part_read` which part of it is, by
    default as many elements as the operator returns. Tests compare both with the reference: what
    may change its outputs is read, and nothing else.
    """

    tensors: ClassVar[Mapping[str, Tensor]]
    unread: ClassVar[Mapping[str, str]] = NOTHING
    part_read: ClassVar[Mapping[str, str]] = NOTHING
    backward_work: ClassVar[int | None] = None
    flops_per_element: ClassVar[int | None] = None

    inputs: dict[str, Any]

    def __init_subclass__(cls) -> None:
        """Let `flops_per_element` override the `flop_count` of a base class."""
        super().__init_subclass__()
        if "flops_per_element" in vars(cls) and "flop_count" not in vars(cls):
            cls.flop_count = Counts.flop_count  # type: ignore[method-assign]

    @property
    def dtype(self) -> str:
        """The element type of data and parameters."""
        return str(self.inputs["dtype"])

    @property
    def shapes(self) -> dict[str, Shape]:
        """The shape of each input tensor, in the order the operator takes them."""
        return {name: self.inputs[name] for name in self.tensors}

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shape of each output, or raise a UsageError that names the misfit input."""
        raise NotImplementedError

    def output_dtypes(self) -> tuple[str, ...]:
        """Return the element type of each output, by default the operator's.

        Floating-point ones are binding; masks (bool) and positions (int64) may be of any type.
        """
        return (self.dtype,) * len(self.outputs())

    def output_bytes(self) -> int:
        """Return the bytes of the outputs."""
        return sum(
            prod(shape) * ITEMSIZE[kind]
            for shape, kind in zip(self.outputs(), self.output_dtypes(), strict=True)
        )

    def flop_count(self) -> int:
        """Return the FLOP of one forward call: `flops_per_element` times output 0's elements."""
        if self.flops_per_element is None:
            raise NotImplementedError
        return self.flops_per_element * prod(self.outputs()[0])

    @property
    def computed_in(self) -> str:
        """The element type of the arithmetic: the inputs' own, where they all state one."""
        own = {tensor.dtype for tensor in self.tensors.values()}
        (dtype,) = own if len(own) == 1 else {None}
        return dtype or self.dtype

    def elements_read(self) -> dict[str, int]:
        """Return the number of elements that must be read of each input."""
        read = {name: prod(shape) for name, shape in self.shapes.items()}
        returned = sum(map(prod, self.outputs())) if self.part_read else 0
        part = {name: min(read[name], returned) for name in self.part_read}
        return {**read, **part, **dict.fromkeys(self.unread, 0)}

    def input_bytes(self) -> int:
        """Return the bytes that must be read of the inputs."""
        return sum(
            count * ITEMSIZE[self.tensors[name].dtype or self.dtype]
            for name, count in self.elements_read().items()
        )

    def byte_count(self) -> int:
        """Return the least traffic of one forward call: inputs read and outputs written once.

        A framework that returns a view moves nothing; its record has no byte count.
        """
        return self.input_bytes() + self.output_bytes()

    def counts(self) -> dict[str, tuple[int | None, int | None]]:
        """Return (FLOP, bytes) by direction; None where no formula is declared."""
        forward = self.flop_count()
        counted: dict[str, tuple[int | None, int | None]] = {
            "forward": (forward, self.byte_count()),
            "forward_recorded": (forward, self.byte_count()),
        }
        if self.backward_work is not None:
            counted["backward"] = (self.backward_work * forward, None)
            counted["forward_backward"] = ((1 + self.backward_work) * forward, None)
        return counted
