"""Changes of axes: exchanged, reversed, rotated, added, removed.

Elements are moved where both frameworks can be asked to; what is a view in PyTorch says so. Sizes
are the element-wise ones unless an operator needs more dimensions; those are NCHW images.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from opperf.core.limitation import Limitation
from opperf.core.tensor import Tensor
from opperf.operators.absence import ONLY_MXNET
from opperf.operators.elementwise import SHAPES
from opperf.operators.moving import moved
from opperf.operators.shape import Rearrangement

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.tensor import Array, Shape

CATEGORY = "shape"
MATRICES = {size: {"data": shape} for size, shape in SHAPES.items()}
IMAGES = {
    "small": {"data": (1, 4, 16, 16)},
    "typical": {"data": (4, 64, 56, 56)},
    "large": {"data": (32, 64, 112, 112)},
    "skewed": {"data": (1, 3, 7, 1023)},
}


class OnAxes(Rearrangement):
    """A rearrangement of the data's axes."""

    sizes: ClassVar[Mapping[str, Mapping[str, object]]] = MATRICES

    def require_axes(self, *names: str, extra: int = 0) -> list[int]:
        """Return these attributes as axes counted from the first, or refuse the one that is none.

        `extra` axes are those that an operator adds.
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
    """Two axes exchanged, and the elements moved accordingly."""

    attributes = {"dim1": 0, "dim2": 1}
    reference = staticmethod(swap_axes)
    gradient = moved(reference)

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
    """One axis moved between the others, and the elements accordingly: images to channels last."""

    attributes = {"source": 1, "destination": -1}
    sizes = IMAGES
    reference = staticmethod(move_axis)
    gradient = moved(reference)

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
    """One axis reversed; images are mirrored."""

    attributes = {"axis": 3}
    sizes = IMAGES
    reference = staticmethod(flip)
    gradient = moved(reference)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        self.require_axes("axis")
        return (self.inputs["data"],)


def flip_columns(data: Array) -> Array:
    """Reverse the second axis."""
    return np.ascontiguousarray(np.fliplr(data))


class FlipLR(OnAxes):
    """A matrix with its columns in reverse."""

    reference = staticmethod(flip_columns)
    gradient = moved(reference)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        self.require(len(self.inputs["data"]) > 1, "data", "must have at least 2 dimensions")
        return (self.inputs["data"],)


def flip_rows(data: Array) -> Array:
    """Reverse the first axis."""
    return np.ascontiguousarray(np.flipud(data))


class FlipUD(OnAxes):
    """A matrix with its rows in reverse."""

    reference = staticmethod(flip_rows)
    gradient = moved(reference)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        return (self.inputs["data"],)


def roll(data: Array, *, shift: int, axis: int) -> Array:
    """Shift along an axis, round its end."""
    return np.roll(data, shift, axis)


class Roll(OnAxes):
    """Elements shifted along an axis; typical is Swin's shifted window, of 4 images."""

    attributes = {"shift": 3, "axis": 2}
    sizes = {
        "small": {"data": (1, 4, 16, 16)},
        "typical": {"data": (4, 96, 56, 56)},
        "large": {"data": (32, 96, 56, 56)},
        "skewed": {"data": (1, 3, 7, 1023)},
    }
    reference = staticmethod(roll)
    gradient = moved(reference)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        self.require_axes("axis")
        return (self.inputs["data"],)


def rotate(data: Array) -> Array:
    """Turn the first two axes by 90 degrees."""
    return np.ascontiguousarray(np.rot90(data))


class Rot90(OnAxes):
    """A matrix turned by 90 degrees, counterclockwise."""

    reference = staticmethod(rotate)
    gradient = moved(reference)
    limitations = (
        Limitation(
            framework="mxnet",
            directions=("backward", "forward_backward"),
            words="gradient by data is",
            note="its backward turns the gradient the same way round, and not back",
        ),
    )

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shape with the first two dimensions exchanged."""
        self.require(len(self.inputs["data"]) > 1, "data", "must have at least 2 dimensions")
        rows, columns, *rest = self.inputs["data"]
        return ((columns, rows, *rest),)


class View(OnAxes):
    """A change that moves nothing: PyTorch returns a view, MXNet copies."""

    def byte_count(self) -> int:
        """Return none: a view, which is enough, moves nothing."""
        return 0


def squeeze(data: Array, *, axis: int) -> Array:
    """Remove an axis of one element."""
    return np.squeeze(data, axis)


class Squeeze(View):
    """An axis of one element removed; PyTorch returns a view, MXNet copies."""

    attributes = {"axis": 1}
    sizes = {size: {"data": (shape[0], 1, *shape[1:])} for size, shape in SHAPES.items()}
    reference = staticmethod(squeeze)
    gradient = moved(reference)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shape without the axis."""
        (axis,) = self.require_axes("axis")
        shape = self.inputs["data"]
        self.require(shape[axis] == 1, "axis", f"must be an axis of 1 element of {shape}")
        return ((*shape[:axis], *shape[axis + 1 :]),)


class ExpandDims(View):
    """An axis of one element added; PyTorch returns a view, MXNet copies."""

    attributes = {"axis": 1}
    reference = staticmethod(np.expand_dims)
    gradient = moved(reference)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shape with a one."""
        (axis,) = self.require_axes("axis", extra=1)
        shape = self.inputs["data"]
        return ((*shape[:axis], 1, *shape[axis:]),)


class Ravel(View):
    """All dimensions made into one; PyTorch returns a view, MXNet copies."""

    reference = staticmethod(np.ravel)
    gradient = moved(reference)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the number of elements."""
        return ((prod(self.inputs["data"]),),)


def reshape_like(lhs: Array, rhs: Array) -> Array:
    """Read the elements under another tensor's shape."""
    return lhs.reshape(rhs.shape)


def reshape_like_gradient(seeds: Sequence[Array], lhs: Array, rhs: Array) -> tuple[Array]:
    """Read the gradient under the shape before."""
    del rhs
    return (seeds[0].reshape(lhs.shape),)


class ReshapeLike(View):
    """The elements of `lhs` under the shape of `rhs`; PyTorch returns a view, MXNet copies."""

    tensors = {"lhs": Tensor(), "rhs": Tensor(differentiable=False)}
    sizes = {size: {"lhs": shape, "rhs": (prod(shape),)} for size, shape in SHAPES.items()}
    reference = staticmethod(reshape_like)
    gradient = staticmethod(reshape_like_gradient)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the other's shape."""
        left, right = self.inputs["lhs"], self.inputs["rhs"]
        rule = f"holds {prod(right)} elements, lhs has {prod(left)}"
        self.require(prod(left) == prod(right), "rhs", rule)
        return (right,)


class Asking(OnAxes):
    """A question about the shape, answered in a tensor of int64; the elements are not read."""

    differentiable = False
    limitations = ONLY_MXNET

    def output_dtypes(self) -> tuple[str, ...]:
        """Return the type of sizes."""
        return ("int64",)

    def byte_count(self) -> int:
        """Return the bytes of the answer."""
        return self.output_bytes()


def size_array(data: Array) -> Array:
    """Return how many elements there are."""
    return np.array([data.size])


class SizeArray(Asking):
    """How many elements a tensor has, as a tensor."""

    reference = staticmethod(size_array)

    def outputs(self) -> tuple[Shape, ...]:
        """Return one number."""
        return ((1,),)


def shape_array(data: Array) -> Array:
    """Return the dimensions."""
    return np.array(data.shape)


class ShapeArray(Asking):
    """The shape of a tensor, as a tensor."""

    reference = staticmethod(shape_array)

    def outputs(self) -> tuple[Shape, ...]:
        """Return a number a dimension."""
        return ((len(self.inputs["data"]),),)
