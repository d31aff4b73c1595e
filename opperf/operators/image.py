"""Preparation of images: (channels, height, width), or (height, width, channels) as decoded.

Typical are ImageNet's 224 x 224 pixels; all numbers are floating-point.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from opperf.core.tensors.tensor import Tensor
from opperf.declaring.declaration import Declaration
from opperf.declaring.moving import gather_gradient

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape

CHANNELS = 3
MEAN, DEVIATION = (0.5, 0.4375, 0.40625), (0.25, 0.21875, 0.234375)
"""Near ImageNet's, and exact in every dtype."""
FIRST = {
    "small": {"data": (3, 32, 32)},
    "typical": {"data": (3, 224, 224)},
    "large": {"data": (3, 1024, 1024)},
    "skewed": {"data": (3, 7, 1023)},
}
LAST = {
    "small": {"data": (32, 32, 3)},
    "typical": {"data": (224, 224, 3)},
    "large": {"data": (1024, 1024, 3)},
    "skewed": {"data": (7, 1023, 3)},
}


class Image(Declaration, abstract=True):
    """An operator on one image."""

    dtypes = ("float32",)

    def require_image(self, channels: int) -> Shape:
        """Return the image's shape; `channels` is the position of the channel axis."""
        self.require_rank("data", 3)
        shape: Shape = self.inputs["data"]
        fits = shape[channels] == CHANNELS
        self.require(fits, "data", f"must have {CHANNELS} channels, at place {channels}")
        return shape


def column(values: tuple[float, ...], dtype: np.dtype[np.generic]) -> Array:
    """Return one number per channel, broadcasting over height and width."""
    return np.array(values, dtype)[:, None, None]


def normalize(data: Array) -> Array:
    """(data - mean) / deviation, per channel."""
    return (data - column(MEAN, data.dtype)) / column(DEVIATION, data.dtype)


def normalize_gradient(cotangents: Sequence[Array], data: Array) -> tuple[Array]:
    """Return cotangent / deviation, per channel."""
    del data
    return (cotangents[0] / column(DEVIATION, cotangents[0].dtype),)


class ImageNormalize(Image):
    """(data - mean) / deviation, per channel."""

    tensors = {"data": Tensor(low=0, high=1)}
    sizes = FIRST
    reference = normalize
    gradient = normalize_gradient
    flops_per_element = 2  # a difference and a quotient

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        return (self.require_image(0),)


def to_tensor(data: Array) -> Array:
    """Move the channels first and divide by 255."""
    return np.ascontiguousarray(data.transpose(2, 0, 1) / data.dtype.type(255))


class ImageToTensor(Image):
    """data / 255 with the channels moved first."""

    tensors = {"data": Tensor(low=0, high=255)}
    sizes = LAST
    reference = to_tensor
    differentiable = False
    flops_per_element = 1  # a quotient

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shape with the channels first."""
        height, width, channels = self.require_image(2)
        return ((channels, height, width),)


def crop(data: Array, *, border: int) -> Array:
    """Remove the border."""
    within = slice(border, -border or None)
    return data[within, within].copy()


class ImageCrop(Image):
    """The image without a border of `border` pixels."""

    tensors = {"data": Tensor(low=0, high=255)}
    attributes = {"border": 2}
    sizes = LAST
    part_read = {"data": "what is inside the border"}
    reference = crop
    gradient = gather_gradient(crop)
    flops_per_element = 0  # elements are moved only

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shape without the border."""
        height, width, channels = self.require_image(2)
        border, most = self.inputs["border"], (min(height, width) - 1) // 2
        self.require(0 <= border <= most, "border", f"must lie in [0, {most}]")
        return ((height - 2 * border, width - 2 * border, channels),)


ALPHA = (0.125, 0.25, 0.5)
COLORS = np.array(
    [
        [55.46 * -0.5675, 4.794 * 0.7192, 1.148 * 0.4009],
        [55.46 * -0.5808, 4.794 * -0.0045, 1.148 * -0.8140],
        [55.46 * -0.5836, 4.794 * -0.6948, 1.148 * 0.4203],
    ]
)
"""The principal components of ImageNet's colors (Krizhevsky et al. 2012, section 4.1)."""


def lighten(data: Array) -> Array:
    """Add the weighted sum of the principal components of color."""
    return data + (COLORS @ ALPHA).astype(data.dtype)


class ImageLighting(Image):
    """data + components @ alpha: a shift of all colors along their principal components."""

    tensors = {"data": Tensor(low=0, high=255)}
    sizes = LAST
    reference = lighten
    differentiable = False
    flops_per_element = 1  # a sum

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        return (self.require_image(2),)
