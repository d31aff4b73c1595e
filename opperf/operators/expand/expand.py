"""Tiling and constant padding."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import DTYPES, INTEGERS, Tensor
from opperf.declaring.declaration import Declaration

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape


class Expansion(Declaration, abstract=True):
    """An operator that copies elements and computes nothing."""

    tensors = {"data": Tensor()}
    dtypes = DTYPES
    gradient_tolerance = CANCELING_SUMS.because("the copies of an element add up")
    flops_per_element = 0  # elements are moved only


def align_ranks(shape: Shape, reps: Shape) -> tuple[Shape, Shape]:
    """Return both padded by leading ones to one length."""
    rank = max(len(shape), len(reps))
    return (1,) * (rank - len(shape)) + shape, (1,) * (rank - len(reps)) + reps


def tile(data: Array, *, reps: Shape) -> Array:
    """Return data repeated reps times along each axis."""
    return np.tile(data, reps)


def tile_gradient(cotangents: Sequence[Array], data: Array, *, reps: Shape) -> tuple[Array]:
    """Return the sum of the cotangent over the repetitions."""
    shape, counts = align_ranks(data.shape, reps)
    pairs = [n for pair in zip(counts, shape, strict=True) for n in pair]
    summed = cotangents[0].reshape(pairs).sum(axis=tuple(range(0, len(pairs), 2)))
    return (summed.reshape(data.shape),)


class Tile(Expansion):
    """data repeated `reps` times along each axis.

    Typical repeats BERT-base's position embeddings for 4 sequences; skewed repeats single elements.
    """

    attributes = {"reps": (4, 1)}
    sizes = {
        "small": {"data": (32, 64), "reps": (2, 2)},
        "typical": {"data": (512, 768), "reps": (4, 1)},
        "large": {"data": (2048, 1024), "reps": (2, 4)},
        "skewed": {"data": (10000, 1), "reps": (1, 10)},
    }
    reference = tile
    gradient = tile_gradient

    def outputs(self) -> tuple[Shape, ...]:
        """Return each dimension times its repetitions."""
        shape, counts = align_ranks(self.inputs["data"], self.inputs["reps"])
        return (tuple(n * count for n, count in zip(shape, counts, strict=True)),)


def pad(data: Array, *, padding: int, value: float) -> Array:
    """Return the images padded by a constant."""
    sides = ((0, 0), (0, 0), (padding, padding), (padding, padding))
    return np.pad(data, sides, constant_values=value)


def pad_gradient(
    cotangents: Sequence[Array], data: Array, *, padding: int, value: float
) -> tuple[Array]:
    """Return the cotangent without the padding."""
    del data, value
    inner = slice(padding, -padding or None)
    return (cotangents[0][:, :, inner, inner],)


class Pad(Expansion):
    """NCHW images padded by a constant, by `padding` on all four sides.

    Typical is the input of a 3 x 3 convolution of ResNet-50's first stage, for 4 images; skewed is
    odd in every dimension and longer than high.
    """

    attributes = {"padding": 1, "value": 0.0}
    sizes = {
        "small": {"data": (1, 4, 32, 32)},
        "typical": {"data": (4, 64, 56, 56)},
        "large": {"data": (32, 64, 112, 112)},
        "skewed": {"data": (1, 3, 7, 1023), "padding": 3},
    }
    reference = pad
    gradient = pad_gradient

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shape of the padded images."""
        self.require_rank("data", 4)
        padding, value = self.inputs["padding"], self.inputs["value"]
        self.require(padding >= 0, "padding", "must be at least 0")
        fits = self.dtype not in INTEGERS or value.is_integer()
        self.require(fits, "value", f"must be a whole number, as {self.dtype} is")
        batch, channels, height, width = self.inputs["data"]
        return ((batch, channels, height + 2 * padding, width + 2 * padding),)
