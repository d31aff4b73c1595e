"""Transposed, reversed, rolled and rotated axes.

Elements are moved: contiguous copies are asked for where a framework would return views. Sizes are
the element-wise ones unless an operator needs more dimensions; those are NCHW images.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from opperf.declaring.elementwise import SHAPES
from opperf.declaring.moving import gather_gradient
from opperf.operators.shape.shape import Rearrangement

if TYPE_CHECKING:
    from collections.abc import Mapping

    from opperf.core.tensors.tensor import Array, Shape


MATRICES = {size: {"data": shape} for size, shape in SHAPES.items()}

IMAGES = {
    "small": {"data": (1, 4, 16, 16)},
    "typical": {"data": (4, 64, 56, 56)},
    "large": {"data": (32, 64, 112, 112)},
    "skewed": {"data": (1, 3, 7, 1023)},
}


class OnAxes(Rearrangement, abstract=True):
    """A rearrangement along the data's axes."""

    sizes: ClassVar[Mapping[str, Mapping[str, object]]] = MATRICES

    def require_axes(self, *names: str, extra: int = 0) -> list[int]:
        """Return these attributes as axes counted from the first, or refuse one out of range.

        `extra` is the number of axes that an operator adds.
        """
        rank = len(self.inputs["data"]) + extra
        for name in names:
            axis = self.inputs[name]
            self.require(-rank <= axis < rank, name, f"must lie in [{-rank}, {rank - 1}]")
        return [self.inputs[name] % rank for name in names]


def swap_axes(data: Array, *, dim1: int, dim2: int) -> Array:
    """Exchange two axes, in memory as well."""
    return np.ascontiguousarray(np.swapaxes(data, dim1, dim2))


class SwapAxes(OnAxes):
    """Two axes exchanged, in memory as well."""

    attributes = {"dim1": 0, "dim2": 1}
    reference = swap_axes
    gradient = gather_gradient(reference)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shape with two dimensions exchanged."""
        first, second = self.require_axes("dim1", "dim2")
        shape = [*self.inputs["data"]]
        shape[first], shape[second] = shape[second], shape[first]
        return (tuple(shape),)


def move_axis(data: Array, *, source: int, destination: int) -> Array:
    """Move one axis between the others, in memory as well."""
    return np.ascontiguousarray(np.moveaxis(data, source, destination))


class MoveAxis(OnAxes):
    """One axis moved to another position, in memory as well, as from NCHW to NHWC."""

    attributes = {"source": 1, "destination": -1}
    sizes = IMAGES
    reference = move_axis
    gradient = gather_gradient(reference)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shape with a dimension moved."""
        source, destination = self.require_axes("source", "destination")
        shape = [*self.inputs["data"]]
        shape.insert(destination, shape.pop(source))
        return (tuple(shape),)


def flip(data: Array, *, axis: int) -> Array:
    """Reverse an axis."""
    return np.ascontiguousarray(np.flip(data, axis))


class Flip(OnAxes):
    """data[::-1] along one axis; images are mirrored."""

    attributes = {"axis": 3}
    sizes = IMAGES
    reference = flip
    gradient = gather_gradient(reference)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        self.require_axes("axis")
        return (self.inputs["data"],)


def flip_columns(data: Array) -> Array:
    """Reverse the second axis."""
    return np.ascontiguousarray(np.fliplr(data))


class FlipLR(OnAxes):
    """data[:, ::-1]."""

    reference = flip_columns
    gradient = gather_gradient(reference)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        self.require_least_rank("data", 2)
        return (self.inputs["data"],)


def flip_rows(data: Array) -> Array:
    """Reverse the first axis."""
    return np.ascontiguousarray(np.flipud(data))


class FlipUD(OnAxes):
    """data[::-1]."""

    reference = flip_rows
    gradient = gather_gradient(reference)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        self.require_least_rank("data", 1)
        return (self.inputs["data"],)


def roll(data: Array, *, shift: int, axis: int) -> Array:
    """Shift along an axis, cyclically."""
    return np.roll(data, shift, axis)


class Roll(OnAxes):
    """data[(i - shift) % n] along an axis. Typical is Swin's shifted window, of 4 images."""

    attributes = {"shift": 3, "axis": 2}
    sizes = {
        "small": {"data": (1, 4, 16, 16)},
        "typical": {"data": (4, 96, 56, 56)},
        "large": {"data": (32, 96, 56, 56)},
        "skewed": {"data": (1, 3, 7, 1023)},
    }
    reference = roll
    gradient = gather_gradient(reference)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        self.require_axes("axis")
        return (self.inputs["data"],)


def rotate(data: Array) -> Array:
    """Rotate the first two axes by 90 degrees."""
    return np.ascontiguousarray(np.rot90(data))


class Rot90(OnAxes):
    """The first two axes rotated counterclockwise by 90 degrees."""

    reference = rotate
    gradient = gather_gradient(reference)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shape with the first two dimensions exchanged."""
        self.require_least_rank("data", 2)
        rows, columns, *rest = self.inputs["data"]
        return ((columns, rows, *rest),)
