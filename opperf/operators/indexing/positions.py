"""Positions of elements, and conversion between positions and coordinates."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from opperf.core.tensors.tensor import Tensor
from opperf.declaring.elementwise import SHAPES
from opperf.operators.indexing.indexing import INDEX, Indexing, index_below
from opperf.operators.indexing.masks import half_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from opperf.core.tensors.tensor import Array, Shape


def half_zero(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
    """Draw values of at least 1 at exactly half of the positions, and zeros elsewhere."""
    values = random.standard_normal(shape)
    return half_of(random, shape, low, high) * (values + np.copysign(1, values))


def argwhere(data: Array) -> Array:
    """Return the coordinates of the nonzero elements, one row each."""
    return np.argwhere(data)


class NonZero(Indexing):
    """The coordinates of the nonzero elements, one row each; half of the elements are nonzero."""

    tensors = {"data": Tensor(initializer=half_zero)}
    sizes = {size: {"data": shape} for size, shape in SHAPES.items()}
    reference = argwhere
    differentiable = False

    def outputs(self) -> tuple[Shape, ...]:
        """Return a row of coordinates for half of the elements."""
        shape = self.inputs["data"]
        self.require(prod(shape) > 1, "data", "must have at least 2 elements")
        return ((prod(shape) // 2, len(shape)),)

    def output_dtypes(self) -> tuple[str, ...]:
        """Return int64."""
        return ("int64",)


class PositionIndexing(Indexing, abstract=True):
    """An operator on positions, which are int64 regardless of the dtype."""

    dtypes = ("float32",)
    differentiable = False

    def output_dtypes(self) -> tuple[str, ...]:
        """Return int64."""
        return ("int64",)


INDICES = {
    "small": {"indices": (64,), "shape": (8, 8, 64)},
    "typical": {"indices": (65536,), "shape": (8, 512, 768)},
    "large": {"indices": (1048576,), "shape": (32, 512, 768)},
    "skewed": {"indices": (10007,), "shape": (317, 317)},
}


def unravel(indices: Array, *, shape: Shape) -> Array:
    """Return one column of coordinates per position."""
    return np.stack(np.unravel_index(indices, shape))


class UnravelIndex(PositionIndexing):
    """numpy.unravel_index: flat positions to coordinates, one column each."""

    tensors = {"indices": INDEX}
    attributes = {"shape": (8, 512, 768)}
    sizes = INDICES
    reference = unravel

    def domains(self) -> Mapping[str, Tensor]:
        """Return positions within the shape."""
        return {"indices": index_below(prod(self.inputs["shape"]))}

    def outputs(self) -> tuple[Shape, ...]:
        """Return a row per dimension."""
        self.require_rank("indices", 1)
        return ((len(self.inputs["shape"]), *self.inputs["indices"]),)


def coordinates_within(shape: Shape) -> Tensor:
    """Return the tensor of columns of coordinates within `shape`."""

    def draw(random: np.random.Generator, size: Shape, low: float, high: float) -> Array:
        del low, high
        return np.stack([random.integers(0, n, size[1:]) for n in shape])

    return Tensor(dtype="int64", differentiable=False, low=0, high=max(shape), initializer=draw)


def ravel(indices: Array, *, shape: Shape) -> Array:
    """Return the flat position of each column of coordinates."""
    return np.ravel_multi_index(tuple(indices), shape)


class RavelMultiIndex(PositionIndexing):
    """numpy.ravel_multi_index: columns of coordinates to flat positions."""

    tensors = {"indices": INDEX}
    attributes = {"shape": (8, 512, 768)}
    sizes = {
        size: {
            "indices": (len(shape), *count),
            "shape": shape,
        }
        for size, shape, count in (
            ("small", (8, 8, 64), (64,)),
            ("typical", (8, 512, 768), (65536,)),
            ("large", (32, 512, 768), (1048576,)),
            ("skewed", (317, 317), (10007,)),
        )
    }
    reference = ravel

    def domains(self) -> Mapping[str, Tensor]:
        """Return coordinates within the shape."""
        return {"indices": coordinates_within(self.inputs["shape"])}

    def outputs(self) -> tuple[Shape, ...]:
        """Return one position per column."""
        self.require_rank("indices", 2)
        rows, count = self.inputs["indices"]
        rank = len(self.inputs["shape"])
        self.require(rows == rank, "indices", f"must have {rank} rows, one for each dimension")
        return ((count,),)


def index_array(data: Array) -> Array:
    """Return each element's coordinates along a new last axis."""
    return np.moveaxis(np.indices(data.shape), 0, -1)


class IndexArray(PositionIndexing):
    """The coordinates of each element, along a new last axis."""

    tensors = {"data": Tensor()}
    sizes = {size: {"data": shape} for size, shape in SHAPES.items()}
    unread = {"data": "only its shape"}
    reference = index_array

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shape with an axis of the number of dimensions appended."""
        shape = self.inputs["data"]
        return ((*shape, len(shape)),)


def ascending(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
    """Draw normal values in ascending order."""
    del low, high
    return np.sort(random.standard_normal(shape))


def search_sorted(boundaries: Array, values: Array) -> Any:
    """Return the leftmost insertion position of each value."""
    return np.searchsorted(boundaries, values)


class SearchSorted(Indexing):
    """numpy.searchsorted(boundaries, values). Typical makes 255 bins, as LightGBM does."""

    tensors = {"boundaries": Tensor(initializer=ascending), "values": Tensor()}
    sizes = {
        "small": {"boundaries": (15,), "values": (64, 64)},
        "typical": {"boundaries": (255,), "values": (1024, 1024)},
        "large": {"boundaries": (255,), "values": (4096, 4096)},
        "skewed": {"boundaries": (100003,), "values": (1009,)},
    }
    reference = search_sorted
    differentiable = False

    def outputs(self) -> tuple[Shape, ...]:
        """Return the values' shape."""
        self.require_rank("boundaries", 1)
        return (self.inputs["values"],)

    def output_dtypes(self) -> tuple[str, ...]:
        """Return int64."""
        return ("int64",)
