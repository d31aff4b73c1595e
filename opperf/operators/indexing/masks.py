"""Selection by a mask that is true for exactly half, so that output shapes are known."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

from opperf.core.tensors.tensor import Tensor
from opperf.declaring.elementwise import SHAPES
from opperf.declaring.moving import gather_gradient
from opperf.operators.indexing.indexing import Indexing, Replacement

if TYPE_CHECKING:
    from opperf.core.tensors.tensor import Array, Shape


def half_of(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
    """Draw ones at exactly half of the positions, rounded down, and zeros elsewhere."""
    del low, high
    return random.permutation(np.arange(prod(shape)) < prod(shape) // 2).reshape(shape)


MASK = Tensor(dtype="int8", differentiable=False, low=0, high=1, initializer=half_of)


def boolean_mask(data: Array, mask: Array) -> Array:
    """data[mask], by rows."""
    return data[mask.astype(bool)]


class BooleanMask(Indexing):
    """data[mask], by rows. Typical is half of the tokens of 8 sequences of BERT-base."""

    tensors = {"data": Tensor(), "mask": MASK}
    sizes = {
        "small": {"data": (64, 64), "mask": (64,)},
        "typical": {"data": (4096, 768), "mask": (4096,)},
        "large": {"data": (16384, 768), "mask": (16384,)},
        "skewed": {"data": (100003, 3), "mask": (100003,)},
    }
    part_read = {"data": "the rows chosen"}
    reference = boolean_mask
    gradient = gather_gradient(boolean_mask)

    def outputs(self) -> tuple[Shape, ...]:
        """Return half the rows."""
        self.require_least_rank("data", 1)
        rows, *rest = self.inputs["data"]
        self.require(rows > 1, "data", "must have at least 2 rows")
        self.require(self.inputs["mask"] == (rows,), "mask", f"must be ({rows},), one a row")
        return ((rows // 2, *rest),)


class MaskedSelect(Indexing):
    """data[mask], flattened."""

    tensors = {"data": Tensor(), "mask": MASK}
    sizes = {size: {"data": shape, "mask": shape} for size, shape in SHAPES.items()}
    part_read = {"data": "the elements chosen"}
    reference = boolean_mask
    gradient = gather_gradient(boolean_mask)

    def outputs(self) -> tuple[Shape, ...]:
        """Return half the elements."""
        shape = self.inputs["data"]
        self.require(prod(shape) > 1, "data", "must have at least 2 elements")
        self.require(self.inputs["mask"] == shape, "mask", f"must be {shape}, as data is")
        return ((prod(shape) // 2,),)


def masked_scatter(data: Array, mask: Array, src: Array) -> Array:
    """A copy of data with result[mask] = src."""
    result = data.copy()
    places = mask.astype(bool)
    result[places] = src[: int(places.sum())]
    return result


class MaskedScatter(Replacement):
    """A copy of data with result[mask] = src, in order."""

    tensors = {"data": Tensor(), "mask": MASK, "src": Tensor()}
    sizes = {
        size: {"data": shape, "mask": shape, "src": (prod(shape) // 2,)}
        for size, shape in SHAPES.items()
    }
    reference = masked_scatter
    gradient = gather_gradient(masked_scatter)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        shape, half = self.inputs["data"], prod(self.inputs["data"]) // 2
        self.require(self.inputs["mask"] == shape, "mask", f"must be {shape}, as data is")
        self.require(self.inputs["src"] == (half,), "src", f"must be ({half},), half of data")
        return (shape,)
