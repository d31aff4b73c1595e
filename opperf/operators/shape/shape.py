"""Changes of shape: the same elements, in another order or under other indices."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

from opperf.core.tensors.tensor import DTYPES, Tensor
from opperf.declaring.declaration import Declaration

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape


class Rearrangement(Declaration, abstract=True):
    """An operator that keeps every element and computes nothing."""

    tensors = {"data": Tensor()}
    dtypes = DTYPES
    flops_per_element = 0  # elements are moved, if at all


def transpose(data: Array, *, axes: Shape) -> Array:
    """Reorder the axes, in memory as well."""
    return np.ascontiguousarray(np.transpose(data, axes))


def transpose_gradient(cotangents: Sequence[Array], data: Array, *, axes: Shape) -> tuple[Array]:
    """Apply the inverse permutation."""
    del data
    return (np.transpose(cotangents[0], np.argsort(axes)),)


class Transpose(Rearrangement):
    """The axes permuted, in memory as well.

    A contiguous copy is asked for where a framework would return a view that the next operator
    reads with strides; the backward is the framework's own, a view or a copy. Typical splits off
    the heads of BERT-base's attention, for 8 sequences of 384; skewed is a long thin matrix.
    """

    attributes = {"axes": (0, 2, 1, 3)}
    sizes = {
        "small": {"data": (64, 64), "axes": (1, 0)},
        "typical": {"data": (8, 384, 12, 64)},
        "large": {"data": (4096, 4096), "axes": (1, 0)},
        "skewed": {"data": (100003, 3), "axes": (1, 0)},
    }
    reference = transpose
    gradient = transpose_gradient
    tags = ("core",)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the permuted dimensions."""
        shape, axes = self.inputs["data"], self.inputs["axes"]
        every = tuple(range(len(shape)))
        self.require(tuple(sorted(axes)) == every, "axes", f"must be {every} in some order")
        return (tuple(shape[axis] for axis in axes),)


def reshape(data: Array, *, shape: Shape) -> Array:
    """Return the elements under another shape."""
    return data.reshape(shape)


def reshape_gradient(cotangents: Sequence[Array], data: Array, *, shape: Shape) -> tuple[Array]:
    """Return the cotangent under the original shape."""
    del shape
    return (cotangents[0].reshape(data.shape),)


class Reshape(Rearrangement):
    """The same elements under another shape: a view, so that the time is that of a call.

    The backward may be a view or a copy. Typical are the heads of BERT-base's attention, for 8
    sequences of 384. The sizes differ in nothing that a view reads; they show that it is one.
    """

    attributes = {"shape": (8, 384, 12, 64)}
    sizes = {
        "small": {"data": (64, 64), "shape": (4096,)},
        "typical": {"data": (8, 384, 768), "shape": (8, 384, 12, 64)},
        "large": {"data": (64, 384, 768), "shape": (64, 384, 12, 64)},
        "skewed": {"data": (10000, 1), "shape": (1, 10000)},
    }
    reference = reshape
    gradient = reshape_gradient

    def outputs(self) -> tuple[Shape, ...]:
        """Return the requested shape."""
        shape, data = self.inputs["shape"], self.inputs["data"]
        rule = f"holds {prod(shape)} elements, data has {prod(data)}"
        self.require(prod(shape) == prod(data), "shape", rule)
        return (shape,)


def flatten(data: Array) -> Array:
    """Merge all dimensions but the first."""
    return data.reshape(len(data), -1)


def flatten_gradient(cotangents: Sequence[Array], data: Array) -> tuple[Array]:
    """Return the cotangent under the original shape."""
    return (cotangents[0].reshape(data.shape),)


class Flatten(Rearrangement):
    """All dimensions but the first merged, as before a classifier.

    A view or a copy, as the framework's own layer does it: frameworks do a different job here, as
    they do for their users. Typical is VGG-16's last feature map, for 32 images.
    """

    sizes = {
        "small": {"data": (8, 8, 8, 8)},
        "typical": {"data": (32, 512, 7, 7)},
        "large": {"data": (256, 512, 7, 7)},
        "skewed": {"data": (10000, 5, 2)},
    }
    reference = flatten
    gradient = flatten_gradient

    def outputs(self) -> tuple[Shape, ...]:
        """Return the first dimension and the product of the others."""
        shape = self.inputs["data"]
        self.require_least_rank("data", 2)
        return ((shape[0], prod(shape[1:])),)
