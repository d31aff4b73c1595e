"""Splitting a tensor into several, also under NumPy's names for the axis.

Whether the parts are views or copies is the framework's choice, as for its users. Skewed splits
thin columns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from opperf.core.tensors.tensor import Tensor
from opperf.declaring.elementwise import SHAPES
from opperf.declaring.moving import gather_gradient
from opperf.operators.join_split.join_split import Joint

if TYPE_CHECKING:
    from collections.abc import Mapping

    from opperf.core.tensors.tensor import Array, Shape


CUBES = {
    "small": (8, 8, 16),
    "typical": (8, 384, 768),
    "large": (64, 384, 768),
    "skewed": (100003, 1, 2),
}


class Parts(Joint, abstract=True):
    """A tensor split along one axis; all parts are differentiated."""

    tensors = {"data": Tensor()}

    def settle(self) -> None:
        """Differentiate every part."""
        self.differentiable_outputs = tuple(range(len(self.outputs())))

    def cut(self, axis: int, lengths: list[int]) -> tuple[Shape, ...]:
        """Return the parts' shapes."""
        shape = self.inputs["data"]
        return tuple((*shape[:axis], length, *shape[axis + 1 :]) for length in lengths)


def parts_along(axis: int) -> Any:
    """Return the reference that splits into equal parts along an axis."""

    def split(data: Array, *, sections: int) -> tuple[Array, ...]:
        """Split into equal parts."""
        return tuple(part.copy() for part in np.split(data, sections, axis))

    return split


class EqualParts(Parts, abstract=True):
    """A split into equal parts along the axis `along`."""

    along: ClassVar[int]
    attributes = {"sections": 2}
    sizes: ClassVar[Mapping[str, Mapping[str, object]]] = {
        size: {"data": shape} for size, shape in CUBES.items()
    }

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shapes of the equal parts."""
        shape, sections = self.inputs["data"], self.inputs["sections"]
        self.require(
            len(shape) > self.along, "data", f"must have more than {self.along} dimensions"
        )
        length = shape[self.along]
        self.require_count("sections", sections)
        fits = length % sections == 0
        self.require(fits, "sections", f"must divide {length}, the length of axis {self.along}")
        return self.cut(self.along, [length // sections] * sections)


class HSplit(EqualParts):
    """A tensor split into equal parts along its second axis."""

    along = 1
    sizes = {size: {"data": shape} for size, shape in CUBES.items()} | {
        "skewed": {"data": (100003, 2)}
    }
    reference = parts_along(1)
    gradient = gather_gradient(parts_along(1))


class VSplit(EqualParts):
    """A tensor split into equal parts along its first axis."""

    along = 0
    sizes = {size: {"data": shape} for size, shape in CUBES.items()} | {
        "skewed": {"data": (100002, 3)}
    }
    reference = parts_along(0)
    gradient = gather_gradient(parts_along(0))


class DSplit(EqualParts):
    """A tensor split into equal parts along its third axis."""

    along = 2
    reference = parts_along(2)
    gradient = gather_gradient(parts_along(2))


def array_split(data: Array, *, sections: int) -> tuple[Array, ...]:
    """Split the first axis into parts whose lengths differ by at most one."""
    return tuple(part.copy() for part in np.array_split(data, sections))


class ArraySplit(Parts):
    """A tensor split along its first axis into parts whose lengths differ by at most one."""

    attributes = {"sections": 3}
    sizes = {size: {"data": shape} for size, shape in SHAPES.items()}
    reference = array_split
    gradient = gather_gradient(array_split)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the longer parts first."""
        self.require_least_rank("data", 1)
        length, sections = self.inputs["data"][0], self.inputs["sections"]
        self.require_count("sections", sections)
        self.require(sections <= length, "sections", f"must be at most {length}")
        least, longer = divmod(length, sections)
        return self.cut(0, [least + 1] * longer + [least] * (sections - longer))


def split_sizes(data: Array, *, lengths: Shape) -> tuple[Array, ...]:
    """Split the last axis into parts of the given lengths."""
    return tuple(part.copy() for part in np.split(data, np.cumsum(lengths)[:-1], -1))


class SplitSizes(Parts):
    """A tensor split along its last axis into parts of given lengths.

    Typical are the queries, keys and values of 512 tokens of Llama 3 8B, whose 8 heads of keys and
    values serve 32 of queries.
    """

    attributes = {"lengths": (4096, 1024, 1024)}
    sizes = {
        "small": {"data": (16, 96), "lengths": (64, 16, 16)},
        "typical": {"data": (512, 6144)},
        "large": {"data": (4096, 6144)},
        "skewed": {"data": (10007, 3), "lengths": (1, 2)},
    }
    reference = split_sizes
    gradient = gather_gradient(split_sizes)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shapes of the parts."""
        self.require_least_rank("data", 1)
        shape, lengths = self.inputs["data"], self.inputs["lengths"]
        self.require(sum(lengths) == shape[-1], "lengths", f"must add up to {shape[-1]}")
        return self.cut(len(shape) - 1, [*lengths])


def unbind(data: Array) -> tuple[Array, ...]:
    """Return the slices along the first axis."""
    return tuple(part.copy() for part in data)


class Unbind(Parts):
    """The slices along the first axis. Typical separates queries, keys and values of GPT-2."""

    sizes = {
        "small": {"data": (3, 16, 64)},
        "typical": {"data": (3, 1024, 768)},
        "large": {"data": (3, 8192, 768)},
        "skewed": {"data": (64, 7)},
    }
    reference = unbind
    gradient = gather_gradient(unbind)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shape without the first axis, once per slice."""
        self.require_least_rank("data", 1)
        count, *shape = self.inputs["data"]
        self.require_count("data", count)
        return (tuple(shape),) * count
