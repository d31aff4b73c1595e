"""Joining tensors into one, and splitting one into several.

Large is beyond the L2 cache.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from opperf.core.tensors.bounds import MOST_OUTPUTS
from opperf.core.tensors.tensor import DTYPES, Tensor
from opperf.declaring.declaration import Declaration

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape


class Joint(Declaration, abstract=True):
    """An operator that copies every element and computes nothing."""

    dtypes = DTYPES
    flops_per_element = 0  # elements are moved only

    def require_axis(self, rank: int) -> int:
        """Return the axis counted from the first, or refuse it."""
        axis = self.inputs["axis"]
        self.require(-rank <= axis < rank, "axis", f"must lie in [{-rank}, {rank - 1}]")
        return int(axis) % rank

    def require_count(self, name: str, count: int) -> None:
        """Refuse a number of outputs below one or above the limit."""
        fits = 1 <= count <= MOST_OUTPUTS
        self.require(fits, name, f"asks for {count} outputs; must be from 1 to {MOST_OUTPUTS}")


def concat(lhs: Array, rhs: Array, *, axis: int) -> Array:
    """Concatenate along an axis."""
    return np.concatenate((lhs, rhs), axis=axis)


def concat_gradient(
    cotangents: Sequence[Array], lhs: Array, rhs: Array, *, axis: int
) -> tuple[Array, Array]:
    """Split the cotangent where the tensors were concatenated."""
    del rhs
    left, right = np.split(cotangents[0], [lhs.shape[axis]], axis=axis)
    return left, right


class Concat(Joint):
    """Two tensors concatenated along an existing axis.

    Typical is U-Net's first skip connection on the way up, 512 channels from either side (in
    Ronneberger et al. 2015, figure 1); skewed joins uneven rows along the last axis.
    """

    tensors = {"lhs": Tensor(), "rhs": Tensor()}
    attributes = {"axis": 1}
    sizes = {
        "small": {"lhs": (32, 64), "rhs": (32, 64)},
        "typical": {"lhs": (1, 512, 56, 56), "rhs": (1, 512, 56, 56)},
        "large": {"lhs": (1, 64, 392, 392), "rhs": (1, 64, 392, 392)},
        "skewed": {"lhs": (10000, 10), "rhs": (10000, 1)},
    }
    reference = concat
    gradient = concat_gradient
    tags = ("core",)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the common shape with the lengths along the axis added."""
        left, right = self.inputs["lhs"], self.inputs["rhs"]
        axis = self.require_axis(len(left))
        before, after = left[:axis], left[axis + 1 :]
        fits = len(left) == len(right) and (right[:axis], right[axis + 1 :]) == (before, after)
        self.require(fits, "rhs", f"must equal lhs={left} in all axes but {axis}")
        return ((*before, left[axis] + right[axis], *after),)


def stack(lhs: Array, rhs: Array, *, axis: int) -> Array:
    """Stack along a new axis."""
    return np.stack((lhs, rhs), axis=axis)


def stack_gradient(
    cotangents: Sequence[Array], lhs: Array, rhs: Array, *, axis: int
) -> tuple[Array, Array]:
    """Split the cotangent along the new axis."""
    del lhs, rhs
    left, right = np.moveaxis(cotangents[0], axis, 0)
    return left, right


class Stack(Joint):
    """Two tensors stacked along a new axis.

    Typical is GPT-J's rotary embedding of 2048 tokens, 16 heads of 64 rotated features, whose
    halves are interleaved: stacked along the last axis. Skewed interleaves two columns.
    """

    tensors = {"lhs": Tensor(), "rhs": Tensor()}
    attributes = {"axis": -1}
    sizes = {
        size: {"lhs": shape, "rhs": shape}
        for size, shape in {
            "small": (32, 64),
            "typical": (1, 2048, 16, 32),
            "large": (8, 2048, 16, 32),
            "skewed": (10000, 1),
        }.items()
    }
    reference = stack
    gradient = stack_gradient

    def outputs(self) -> tuple[Shape, ...]:
        """Return the common shape with a new axis of length two."""
        left, right = self.inputs["lhs"], self.inputs["rhs"]
        self.require(right == left, "rhs", f"must be {left}, as lhs is")
        axis = self.require_axis(len(left) + 1)
        return ((*left[:axis], 2, *left[axis:]),)


def split(data: Array, *, num_outputs: int, axis: int) -> tuple[Array, ...]:
    """Split into equal parts."""
    return tuple(np.ascontiguousarray(part) for part in np.split(data, num_outputs, axis=axis))


def split_gradient(
    cotangents: Sequence[Array], data: Array, *, num_outputs: int, axis: int
) -> tuple[Array]:
    """Concatenate the cotangents."""
    del data, num_outputs
    return (np.concatenate(cotangents, axis=axis),)


class Split(Joint):
    """A tensor split into `num_outputs` equal parts, each copied.

    Contiguous copies are asked for where a framework would return views. Typical are the queries,
    keys and values of 1024 tokens of GPT-2; skewed splits rows into single elements.
    """

    tensors = {"data": Tensor()}
    attributes = {"num_outputs": 3, "axis": -1}
    sizes = {
        "small": {"data": (64, 96)},
        "typical": {"data": (1024, 2304)},
        "large": {"data": (8192, 2304)},
        "skewed": {"data": (10000, 3)},
    }
    reference = split
    gradient = split_gradient

    def settle(self) -> None:
        """Differentiate every part."""
        self.differentiable_outputs = tuple(range(self.inputs["num_outputs"]))

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shapes of the equal parts."""
        shape, parts = self.inputs["data"], self.inputs["num_outputs"]
        axis = self.require_axis(len(shape))
        self.require_count("num_outputs", parts)
        fits = shape[axis] % parts == 0
        self.require(fits, "num_outputs", f"must divide {shape[axis]}, the length of axis {axis}")
        return ((*shape[:axis], shape[axis] // parts, *shape[axis + 1 :]),) * parts
