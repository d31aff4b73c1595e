"""Unpooling: putting maxima back to the positions they were taken from."""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from opperf.core.tensors.tensor import Tensor
from opperf.declaring.declaration import Declaration
from opperf.declaring.moving import gather_gradient
from opperf.operators.pooling.pooling import CHANNELS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.tensors.tensor import Array, Shape


def unpool(data: Array, indices: Array) -> Array:
    """result[position[i]] = data[i], zeros elsewhere, with windows of two."""
    leading, size = data.shape[:CHANNELS], [2 * n for n in data.shape[CHANNELS:]]
    result = np.zeros((prod(leading), prod(size)), data.dtype)
    flat = indices.reshape(len(result), -1)
    np.put_along_axis(result, flat, data.reshape(len(result), -1), 1)
    return result.reshape(*leading, *size)


def random_positions(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
    """Draw a position within each window of two, as an index into the larger image."""
    del low, high
    size = shape[CHANNELS:]
    found = np.zeros(shape, np.int64)
    places = np.indices(shape)[CHANNELS:]
    for at, n in zip(places, size, strict=True):
        found = found * 2 * n + 2 * at + random.integers(0, 2, shape)
    return found


class Unpooling(Declaration, abstract=True):
    """result[position[i]] = data[i], zeros elsewhere; windows of two, as in SegNet."""

    tensors = {
        "data": Tensor(),
        "indices": Tensor(dtype="int64", differentiable=False, low=0, initializer=random_positions),
    }
    spatial: ClassVar[int]
    reference = unpool
    gradient = gather_gradient(unpool)
    flops_per_element = 0  # elements are moved only

    def domains(self) -> Mapping[str, Tensor]:
        """Return positions within the larger size."""
        last = prod(self.outputs()[0][CHANNELS:]) - 1
        return {**self.tensors, "indices": replace(self.tensors["indices"], high=last)}

    def outputs(self) -> tuple[Shape, ...]:
        """Return twice the size."""
        self.require_rank("data", self.spatial + CHANNELS)
        shape = self.inputs["data"]
        self.require(self.inputs["indices"] == shape, "indices", f"must be {shape}, as data is")
        return ((*shape[:CHANNELS], *(2 * n for n in shape[CHANNELS:])),)


def sizes_of(shapes: Sequence[Shape]) -> dict[str, dict[str, object]]:
    """Return the shapes of data and positions by size."""
    names = ("small", "typical", "large", "skewed")
    return {n: {"data": s, "indices": s} for n, s in zip(names, shapes, strict=True)}


class MaxUnpool1D(Unpooling):
    """Max unpooling of sequences: result[position[i]] = data[i], zeros elsewhere."""

    spatial = 1
    sizes = sizes_of([(1, 4, 64), (4, 256, 512), (32, 256, 512), (1, 3, 10007)])


class MaxUnpool2D(Unpooling):
    """Max unpooling of images. Typical is SegNet's last stage, for one image."""

    spatial = 2
    sizes = sizes_of([(1, 4, 8, 8), (1, 64, 180, 240), (8, 64, 180, 240), (1, 3, 7, 1023)])


class MaxUnpool3D(Unpooling):
    """Max unpooling of volumes: result[position[i]] = data[i], zeros elsewhere."""

    spatial = 3
    sizes = sizes_of([(1, 4, 4, 4, 4), (1, 64, 8, 28, 28), (4, 64, 16, 28, 28), (1, 3, 5, 7, 63)])
