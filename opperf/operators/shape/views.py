"""Axes of length one, flattening and queries of shapes: no element need be moved."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

from opperf.core.tensors.tensor import Tensor
from opperf.declaring.elementwise import SHAPES
from opperf.declaring.moving import gather_gradient
from opperf.operators.shape.axes import OnAxes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape


def squeeze(data: Array, *, axis: int) -> Array:
    """Remove an axis of length one."""
    return np.squeeze(data, axis)


class Squeeze(OnAxes):
    """An axis of length one removed: a view or a copy, as the framework has it."""

    attributes = {"axis": 1}
    sizes = {size: {"data": (shape[0], 1, *shape[1:])} for size, shape in SHAPES.items()}
    reference = squeeze
    gradient = gather_gradient(reference)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shape without the axis."""
        (axis,) = self.require_axes("axis")
        shape = self.inputs["data"]
        self.require(shape[axis] == 1, "axis", f"must be an axis of 1 element of {shape}")
        return ((*shape[:axis], *shape[axis + 1 :]),)


class ExpandDims(OnAxes):
    """An axis of length one added: a view or a copy, as the framework has it."""

    attributes = {"axis": 1}
    reference = np.expand_dims
    gradient = gather_gradient(reference)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shape with the new axis."""
        (axis,) = self.require_axes("axis", extra=1)
        shape = self.inputs["data"]
        return ((*shape[:axis], 1, *shape[axis:]),)


class Ravel(OnAxes):
    """All dimensions merged into one: a view or a copy, as the framework has it."""

    reference = np.ravel
    gradient = gather_gradient(reference)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the number of elements."""
        return ((prod(self.inputs["data"]),),)


def reshape_like(lhs: Array, rhs: Array) -> Array:
    """Return the elements under another tensor's shape."""
    return lhs.reshape(rhs.shape)


def reshape_like_gradient(cotangents: Sequence[Array], lhs: Array, rhs: Array) -> tuple[Array]:
    """Return the cotangent under the original shape."""
    del rhs
    return (cotangents[0].reshape(lhs.shape),)


class ReshapeLike(OnAxes):
    """lhs under the shape of rhs: a view or a copy, as the framework has it."""

    tensors = {"lhs": Tensor(), "rhs": Tensor(differentiable=False)}
    sizes = {size: {"lhs": shape, "rhs": (prod(shape),)} for size, shape in SHAPES.items()}
    unread = {"rhs": "only its shape"}
    reference = reshape_like
    gradient = reshape_like_gradient

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shape of rhs."""
        left, right = self.inputs["lhs"], self.inputs["rhs"]
        rule = f"holds {prod(right)} elements, lhs has {prod(left)}"
        self.require(prod(left) == prod(right), "rhs", rule)
        return (right,)


class ShapeQuery(OnAxes, abstract=True):
    """A query of the shape as an int64 tensor; the elements are not read."""

    differentiable = False
    unread = {"data": "only its shape"}

    def output_dtypes(self) -> tuple[str, ...]:
        """Return int64."""
        return ("int64",)


def size_array(data: Array) -> Array:
    """Return the number of elements."""
    return np.array([data.size])


class SizeArray(ShapeQuery):
    """The number of elements, as a tensor."""

    reference = size_array

    def outputs(self) -> tuple[Shape, ...]:
        """Return one number."""
        return ((1,),)


def shape_array(data: Array) -> Array:
    """Return the dimensions."""
    return np.array(data.shape)


class ShapeArray(ShapeQuery):
    """The shape, as a tensor."""

    reference = shape_array

    def outputs(self) -> tuple[Shape, ...]:
        """Return one number per dimension."""
        return ((len(self.inputs["data"]),),)
