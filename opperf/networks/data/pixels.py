"""From an image file to the array that a network takes, by Pillow."""

from __future__ import annotations

import warnings
from functools import lru_cache
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from opperf.core.errors import UsageError
from opperf.networks.data.request import one_line
from opperf.networks.data.source import UnreadableError

if TYPE_CHECKING:
    from opperf.core.tensors.tensor import Array
    from opperf.networks.data.source import DataShape

FORMATS = ("JPEG", "PNG")
MODES = {1: "L", 3: "RGB"}
"""Pillow's word for an image of so many channels."""
MIDDLE = 127.5
"""Half the largest byte: values go from -1 to 1."""
RANK = 3


@lru_cache(maxsize=1)
def pillow() -> Any:
    """Return Pillow's module; an image beyond its limit of pixels is an error, not a warning."""
    from PIL import Image

    warnings.simplefilter("error", Image.DecompressionBombWarning)
    return Image


def check_images(shape: DataShape) -> None:
    """Raise UsageError unless a network takes images of one or three channels."""
    if len(shape.inputs) != RANK or shape.inputs[0] not in MODES or shape.labels:
        raise UsageError(
            f"images do not fit this network, whose examples are {list(shape.inputs)} with labels"
            f" {list(shape.labels)}; images are [1 or 3, height, width] with one label"
        )


def decode(file: BinaryIO, shape: DataShape) -> Array:
    """Return an encoded image as float32, channels first; UnreadableError if it is damaged."""
    image = pillow()
    try:
        with image.open(file, formats=FORMATS) as opened:
            return fit(opened.convert(MODES[shape.inputs[0]]), shape)
    except Exception as error:
        raise UnreadableError(one_line(error)) from error


def fit(image: Any, shape: DataShape) -> Array:
    """Return the middle of an image, scaled to the network's size, from -1 to 1.

    It is cut out and scaled in one go: scaling a stripe of one pixel's height first would make a
    huge image of it.
    """
    channels, height, width = shape.inputs
    across = min(image.width, image.height * width / height)
    down = across * height / width
    left, top = (image.width - across) / 2, (image.height - down) / 2
    box = (left, top, left + across, top + down)
    scaled = image.resize((width, height), pillow().Resampling.BILINEAR, box=box)
    return scale(np.asarray(scaled).reshape(height, width, channels).transpose(2, 0, 1))


def scale(pixels: Array) -> Array:
    """Return bytes as float32 from -1 to 1."""
    return np.ascontiguousarray(pixels, dtype=np.float32) / np.float32(MIDDLE) - np.float32(1)
