"""Rearrangements between channels and blocks of pixels.

Typical of the blocks is the last layer of ESPCN (Shi et al. 2016), which enlarges 4 images
threefold; skewed is odd and long in one dimension.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from opperf.declaring.moving import gather_gradient
from opperf.operators.shape.shape import Rearrangement

if TYPE_CHECKING:
    from collections.abc import Mapping

    from opperf.core.tensors.tensor import Array, Shape


BLOCKS = {
    "small": ((1, 2, 16, 16), 2),
    "typical": ((4, 3, 255, 255), 3),
    "large": ((32, 16, 224, 224), 2),
    "skewed": ((1, 2, 21, 3069), 3),
}
"""Images and the block size."""

DEEP = {size: {"data": data, "block": block} for size, (data, block) in BLOCKS.items()}

SHALLOW = {
    size: {"data": (n, c * block**2, h // block, w // block), "block": block}
    for size, ((n, c, h, w), block) in BLOCKS.items()
}


class Blocks(Rearrangement, abstract=True):
    """Channels rearranged into blocks of pixels."""

    attributes = {"block": 2}
    sizes: ClassVar[Mapping[str, Mapping[str, object]]] = SHALLOW

    def outputs(self) -> tuple[Shape, ...]:
        """Return fewer channels and more pixels."""
        self.require_rank("data", 4)
        batch, channels, height, width = self.inputs["data"]
        block = self.inputs["block"]
        fits = block >= 1 and channels % block**2 == 0
        self.require(fits, "block", f"must be a number whose square divides {channels} channels")
        return ((batch, channels // block**2, height * block, width * block),)


class Unblocks(Rearrangement, abstract=True):
    """Blocks of pixels rearranged into channels."""

    attributes = {"block": 2}
    sizes: ClassVar[Mapping[str, Mapping[str, object]]] = DEEP

    def outputs(self) -> tuple[Shape, ...]:
        """Return more channels and fewer pixels."""
        self.require_rank("data", 4)
        batch, channels, height, width = self.inputs["data"]
        block = self.inputs["block"]
        fits = block >= 1 and height % block == width % block == 0
        self.require(fits, "block", f"must divide height {height} and width {width}")
        return ((batch, channels * block**2, height // block, width // block),)


def depth_to_space(data: Array, *, block: int) -> Array:
    """Split channels as (row, column, channel) and move rows and columns into the image."""
    n, c, h, w = data.shape
    parts = data.reshape(n, block, block, c // block**2, h, w).transpose(0, 3, 4, 1, 5, 2)
    return parts.reshape(n, c // block**2, h * block, w * block)


class DepthToSpace(Blocks):
    """Channels (row, column, channel) rearranged into blocks of pixels."""

    reference = depth_to_space
    gradient = gather_gradient(reference)


def space_to_depth(data: Array, *, block: int) -> Array:
    """Return the inverse of depth_to_space."""
    n, c, h, w = data.shape
    parts = data.reshape(n, c, h // block, block, w // block, block).transpose(0, 3, 5, 1, 2, 4)
    return parts.reshape(n, c * block**2, h // block, w // block)


class SpaceToDepth(Unblocks):
    """Blocks of pixels rearranged into channels (row, column, channel)."""

    reference = space_to_depth
    gradient = gather_gradient(reference)


def pixel_shuffle(data: Array, *, block: int) -> Array:
    """Split channels as (channel, row, column) and move rows and columns into the image."""
    n, c, h, w = data.shape
    parts = data.reshape(n, c // block**2, block, block, h, w).transpose(0, 1, 4, 2, 5, 3)
    return parts.reshape(n, c // block**2, h * block, w * block)


class PixelShuffle(Blocks):
    """Channels (channel, row, column) rearranged into blocks of pixels (Shi et al. 2016)."""

    reference = pixel_shuffle
    gradient = gather_gradient(reference)


def pixel_unshuffle(data: Array, *, block: int) -> Array:
    """Return the inverse of pixel_shuffle."""
    n, c, h, w = data.shape
    parts = data.reshape(n, c, h // block, block, w // block, block).transpose(0, 1, 3, 5, 2, 4)
    return parts.reshape(n, c * block**2, h // block, w // block)


class PixelUnshuffle(Unblocks):
    """Blocks of pixels rearranged into channels (channel, row, column)."""

    reference = pixel_unshuffle
    gradient = gather_gradient(reference)


def channel_shuffle(data: Array, *, groups: int) -> Array:
    """Transpose groups and channels (Zhang et al. 2018, ShuffleNet)."""
    n, c, *size = data.shape
    return data.reshape(n, groups, c // groups, *size).swapaxes(1, 2).reshape(data.shape)


class ChannelShuffle(Rearrangement):
    """Channels (group, channel) transposed to (channel, group). Typical is ShuffleNet's stage 2."""

    attributes = {"groups": 3}
    sizes = {
        "small": {"data": (1, 6, 8, 8)},
        "typical": {"data": (4, 240, 28, 28)},
        "large": {"data": (32, 240, 56, 56)},
        "skewed": {"data": (1, 9, 7, 1023)},
    }
    reference = channel_shuffle
    gradient = gather_gradient(reference)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        self.require_rank("data", 4)
        channels, groups = self.inputs["data"][1], self.inputs["groups"]
        fits = groups >= 1 and channels % groups == 0
        self.require(fits, "groups", f"must divide {channels} channels")
        return (self.inputs["data"],)
