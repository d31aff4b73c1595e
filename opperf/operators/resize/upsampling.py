"""Nearest-neighbor upsampling."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.declaration import Declaration
from opperf.declaring.moving import gather_gradient

if TYPE_CHECKING:
    from opperf.core.tensors.tensor import Array, Shape


def nearest(data: Array, *, scale: int) -> Array:
    """Repeat each pixel."""
    return data.repeat(scale, 2).repeat(scale, 3)


class UpSamplingNearest(Declaration):
    """Nearest-neighbor upsampling of NCHW images by an integer factor."""

    tensors = {"data": Tensor()}
    attributes = {"scale": 2}
    sizes = {
        "small": {"data": (1, 4, 8, 8)},
        "typical": {"data": (1, 256, 50, 68)},
        "large": {"data": (8, 256, 50, 68)},
        "skewed": {"data": (1, 3, 7, 1023), "scale": 3},
    }
    reference = nearest
    gradient = gather_gradient(nearest)
    gradient_tolerance = CANCELING_SUMS
    flops_per_element = 0  # elements are moved only

    def outputs(self) -> tuple[Shape, ...]:
        """Return the enlarged size."""
        self.require_rank("data", 4)
        batch, channels, height, width = self.inputs["data"]
        scale = self.inputs["scale"]
        self.require(scale >= 1, "scale", "must be at least 1")
        return ((batch, channels, height * scale, width * scale),)


def upsample_and_concat(lhs: Array, rhs: Array) -> Array:
    """Upsample both to twice the size of the first, and concatenate the channels."""
    scale = 2 * lhs.shape[2] // rhs.shape[2]
    return np.concatenate((nearest(lhs, scale=2), nearest(rhs, scale=scale)), 1)


class UpSamplingMulti(Declaration):
    """Two stages of a feature pyramid upsampled to one size and concatenated."""

    tensors = {"lhs": Tensor(), "rhs": Tensor()}
    sizes = {
        size: {"lhs": (n, c, 2 * h, 2 * w), "rhs": (n, c, h, w)}
        for size, (n, c, h, w) in {
            "small": (1, 4, 4, 4),
            "typical": (1, 256, 25, 34),
            "large": (8, 256, 25, 34),
            "skewed": (1, 3, 1, 511),
        }.items()
    }
    reference = upsample_and_concat
    gradient = gather_gradient(upsample_and_concat)
    gradient_tolerance = CANCELING_SUMS
    flops_per_element = 0  # elements are moved only

    def outputs(self) -> tuple[Shape, ...]:
        """Return twice the first's size, and the channels of both."""
        self.require_rank("lhs", 4)
        self.require_rank("rhs", 4)
        batch, channels, height, width = self.inputs["lhs"]
        found, more, *size = self.inputs["rhs"]
        fits = found == batch and [2 * n for n in size] == [height, width]
        self.require(fits, "rhs", f"must have {batch} images of half the size of lhs")
        return ((batch, channels + more, 2 * height, 2 * width),)
