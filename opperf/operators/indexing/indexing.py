"""Gathering slices by index, and scattering them to indices.

Typical is BERT-base's pretraining: 15 % of the tokens of 8 sequences of 512, with 768 features
each, are gathered for prediction. Large is four times that; skewed has rows too short to fill a
cache line. Indices are int64.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import DTYPES, Tensor
from opperf.declaring.declaration import Declaration

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.tensors.tensor import Array, Initializer, Shape

INDEX = Tensor(dtype="int64", differentiable=False, low=0)


def index_below(count: int) -> Tensor:
    """Return the tensor of an index in [0, count)."""
    return Tensor(dtype="int64", differentiable=False, low=0, high=count - 1)


def coordinates_in(shape: Shape, *, distinct: bool) -> Tensor:
    """Return the tensor of (dimensions, points) coordinates into an array of `shape`."""

    def draw(random: np.random.Generator, size: Shape, low: float, high: float) -> Array:
        del low, high  # they bound all rows alike
        places = random.choice(prod(shape), size=prod(size[1:]), replace=not distinct)
        return np.stack(np.unravel_index(places, shape)).reshape(size)

    initializer: Initializer = draw
    return Tensor(
        dtype="int64", differentiable=False, low=0, high=max(shape) - 1, initializer=initializer
    )


class Indexing(Declaration, abstract=True):
    """An operator that moves elements and computes nothing."""

    dtypes: ClassVar[tuple[str, ...]] = DTYPES
    flops_per_element = 0  # elements are moved only


class Replacement(Indexing, abstract=True):
    """A copy of `data` in which elements are replaced by those of `src`."""

    part_read: ClassVar[Mapping[str, str]] = {"data": "what is not replaced"}

    def elements_read(self) -> dict[str, int]:
        """Return the elements of data that remain, and all of the other tensors."""
        read = super().elements_read()
        return {**read, "data": prod(self.inputs["data"]) - self.replacement_count()}

    def replacement_count(self) -> int:
        """Return how many elements are replaced."""
        return prod(self.inputs["src"])


def take(data: Array, indices: Array, *, axis: int) -> Array:
    """Select slices along an axis."""
    return np.take(data, indices, axis=axis)


def take_gradient(
    cotangents: Sequence[Array], data: Array, indices: Array, *, axis: int
) -> tuple[Array]:
    """Add each slice of the cotangent to the slice it was taken from."""
    gradient = np.zeros_like(data)
    np.add.at(np.moveaxis(gradient, axis, 0), indices, np.moveaxis(cotangents[0], axis, 0))
    return (gradient,)


class Take(Indexing):
    """data[indices] along an axis; indices repeat."""

    tensors = {"data": Tensor(), "indices": INDEX}
    attributes = {"axis": 0}
    sizes = {
        "small": {"data": (64, 64), "indices": (64,)},
        "typical": {"data": (4096, 768), "indices": (614,)},
        "large": {"data": (16384, 768), "indices": (8192,)},
        "skewed": {"data": (100003, 3), "indices": (10007,)},
    }
    part_read = {"data": "the slices chosen"}
    reference = take
    gradient = take_gradient
    gradient_tolerance = CANCELING_SUMS.because("elements that are taken repeatedly add up")

    def domains(self) -> Mapping[str, Tensor]:
        """Return indices within the axis."""
        axis = self.inputs["data"][self.inputs["axis"]]
        return {**self.tensors, "indices": index_below(axis)}

    def outputs(self) -> tuple[Shape, ...]:
        """Return one slice per index."""
        shape, axis = self.inputs["data"], self.inputs["axis"]
        rank = len(shape)
        self.require(-rank <= axis < rank, "axis", f"data has {rank} dimensions")
        self.require_rank("indices", 1)
        axis %= rank
        return ((*shape[:axis], *self.inputs["indices"], *shape[axis + 1 :]),)


def gather_nd(data: Array, indices: Array) -> Array:
    """data[indices[0, k], indices[1, k], ...]."""
    result: Array = data[tuple(indices)]
    return result


def gather_nd_gradient(cotangents: Sequence[Array], data: Array, indices: Array) -> tuple[Array]:
    """Add each slice of the cotangent where it was gathered from."""
    gradient = np.zeros_like(data)
    np.add.at(gradient, tuple(indices), cotangents[0])
    return (gradient,)


class GatherND(Indexing):
    """data[indices[0, k], indices[1, k], ...] for each point k; points repeat.

    `indices` is (coordinates, points); fewer coordinates than dimensions select whole slices.
    """

    tensors = {"data": Tensor(), "indices": INDEX}
    sizes = {
        "small": {"data": (8, 8, 64), "indices": (2, 64)},
        "typical": {"data": (8, 512, 768), "indices": (2, 614)},
        "large": {"data": (32, 512, 768), "indices": (2, 8192)},
        "skewed": {"data": (317, 317), "indices": (2, 10007)},
    }
    part_read = {"data": "the slices chosen"}
    reference = gather_nd
    gradient = gather_nd_gradient
    gradient_tolerance = CANCELING_SUMS.because("elements that are taken repeatedly add up")

    def domains(self) -> Mapping[str, Tensor]:
        """Return coordinates within the data."""
        addressed = self.inputs["data"][: self.inputs["indices"][0]]
        return {**self.tensors, "indices": coordinates_in(addressed, distinct=False)}

    def outputs(self) -> tuple[Shape, ...]:
        """Return one slice per point."""
        self.require_rank("indices", 2)
        (depth, points), shape = self.inputs["indices"], self.inputs["data"]
        rule = f"has {depth} coordinates a point, data has {len(shape)} dimensions"
        self.require(depth <= len(shape), "indices", rule)
        return ((points, *shape[depth:]),)


def scatter_nd(data: Array, indices: Array, *, shape: Shape) -> Array:
    """result[indices[0, k], indices[1, k], ...] = data[k], zeros elsewhere."""
    result = np.zeros(shape, dtype=data.dtype)
    result[tuple(indices)] = data
    return result


def scatter_nd_gradient(
    cotangents: Sequence[Array], data: Array, indices: Array, *, shape: Shape
) -> tuple[Array]:
    """Gather the cotangent at the indices."""
    del data, shape
    return (gather_nd(cotangents[0], indices),)


class ScatterND(Indexing):
    """result[indices[0, k], indices[1, k], ...] = data[k], zeros elsewhere.

    The inverse of GatherND. Points are distinct: what a repeated one leaves behind is undefined.
    """

    tensors = {"data": Tensor(), "indices": INDEX}
    attributes = {"shape": (8, 512, 768)}
    sizes = {
        "small": {"data": (32, 64), "indices": (2, 32), "shape": (8, 8, 64)},
        "typical": {"data": (614, 768), "indices": (2, 614), "shape": (8, 512, 768)},
        "large": {"data": (8192, 768), "indices": (2, 8192), "shape": (32, 512, 768)},
        "skewed": {"data": (10007,), "indices": (2, 10007), "shape": (317, 317)},
    }
    reference = scatter_nd
    gradient = scatter_nd_gradient

    def domains(self) -> Mapping[str, Tensor]:
        """Return distinct coordinates within the output."""
        addressed = self.inputs["shape"][: self.inputs["indices"][0]]
        return {**self.tensors, "indices": coordinates_in(addressed, distinct=True)}

    def outputs(self) -> tuple[Shape, ...]:
        """Return the requested shape."""
        self.require_rank("indices", 2)
        (depth, points), shape = self.inputs["indices"], self.inputs["shape"]
        rule = f"has {depth} coordinates a point, shape has {len(shape)} dimensions"
        self.require(depth <= len(shape), "indices", rule)
        room = prod(shape[:depth])
        self.require(points <= room, "indices", f"has {points} points for {room} places")
        expected = (points, *shape[depth:])
        self.require(
            self.inputs["data"] == expected, "data", f"must be {expected}, slices of shape"
        )
        return (shape,)
