"""MXNet's preparation of images."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import built, native
from opperf.operators import image

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def crop(call: Callable[..., Any], data: Any, *, border: int) -> Step:
    """Bind the corner and the size."""
    height, width, _ = data.shape
    size = {"width": width - 2 * border, "height": height - 2 * border}
    return partial(call, data, x=border, y=border, **size)


TABLE = {
    image.ImageNormalize: native("mxnet.nd.image.normalize", mean=image.MEAN, std=image.DEVIATION),
    image.ImageToTensor: native("mxnet.nd.image.to_tensor"),
    image.ImageCrop: built("mxnet.nd.image.crop", crop),
    image.ImageLighting: native("mxnet.nd.image.adjust_lighting", alpha=image.ALPHA),
}
