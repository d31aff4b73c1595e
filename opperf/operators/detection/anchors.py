"""Anchor boxes, and boxes decoded from offsets to them."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

from opperf.core.checking.tolerance import CANCELING_TERMS
from opperf.core.tensors.tensor import Tensor
from opperf.operators.detection.detection import BOX, CORNERS, Detection

if TYPE_CHECKING:
    from opperf.core.tensors.tensor import Array, Shape


DEVIATIONS = (0.125, 0.125, 0.25, 0.25)


def decode(data: Array, anchors: Array) -> Array:
    """Return the anchors shifted and scaled by offsets (Girshick et al. 2014, appendix C)."""
    size = anchors[..., 2:] - anchors[..., :2]
    center = anchors[..., :2] + size / 2
    steps = np.asarray(DEVIATIONS, data.dtype)
    moved = data[..., :2] * steps[:2] * size + center
    half = np.exp(data[..., 2:] * steps[2:]) * size / 2
    return np.concatenate((moved - half, moved + half), -1)


class BoxDecode(Detection):
    """Boxes from anchors and predicted offsets of center and size.

    Typical is SSD300 for 8 images.
    """

    tensors = {"data": Tensor(differentiable=False), "anchors": BOX}
    sizes = {
        size: {"data": (b, n, CORNERS), "anchors": (1, n, CORNERS)}
        for size, (b, n) in {
            "small": (2, 64),
            "typical": (8, 8732),
            "large": (32, 65536),
            "skewed": (1, 3),
        }.items()
    }
    reference = decode
    tolerance = CANCELING_TERMS.because("corners are a center less half a size")

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        self.require_rank("data", 3)
        _, count, numbers = self.inputs["data"]
        self.require(numbers == CORNERS, "data", f"must have {CORNERS} columns")
        expected = (1, count, CORNERS)
        self.require(self.inputs["anchors"] == expected, "anchors", f"must be {expected}")
        return (self.inputs["data"],)

    def flop_count(self) -> int:
        """Return 20 FLOP a box."""
        return 20 * prod(self.inputs["data"][:2])


SCALES, RATIOS = (0.25, 0.5), (1.0, 2.0, 0.5)


def priors(data: Array) -> Array:
    """Return boxes of each scale and aspect ratio around every pixel (Liu et al. 2016)."""
    height, width = data.shape[2:]
    sizes = [(scale, scale) for scale in SCALES]
    sizes += [(SCALES[0] * r**0.5, SCALES[0] / r**0.5) for r in RATIOS[1:]]
    half = np.array(sizes) / 2 * [height / width, 1]
    rows, columns = (np.arange(height) + 0.5) / height, (np.arange(width) + 0.5) / width
    y, x = np.meshgrid(rows, columns, indexing="ij")
    center = np.stack((x, y), -1).reshape(-1, 1, 2)
    found = np.concatenate((center - half, center + half), -1)
    return found.reshape(1, -1, CORNERS).astype(data.dtype)


class MultiBoxPrior(Detection):
    """Anchors of two scales and three aspect ratios around every pixel."""

    tensors = {"data": Tensor(differentiable=False)}
    sizes = {
        "small": {"data": (1, 4, 8, 8)},
        "typical": {"data": (1, 512, 38, 38)},
        "large": {"data": (1, 512, 150, 150)},
        "skewed": {"data": (1, 3, 3, 301)},
    }
    unread = {"data": "only its shape"}
    reference = priors
    flops_per_element = 1  # an operation a number

    def outputs(self) -> tuple[Shape, ...]:
        """Return four anchors a pixel."""
        self.require_rank("data", 4)
        pixels = prod(self.inputs["data"][2:])
        return ((1, pixels * (len(SCALES) + len(RATIOS) - 1), CORNERS),)
