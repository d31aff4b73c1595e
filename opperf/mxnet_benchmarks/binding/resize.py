"""MXNet's resizing and sampling of images."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import Implementation, built

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def bilinear(
    call: Callable[..., Any], data: Any, *, output_size: tuple[int, int], corners: bool
) -> Step:
    """Bilinear interpolation to the size."""
    height, width = output_size
    return partial(call, data, height=height, width=width, align_corners=corners)


def resizing(*, corners: bool) -> Implementation:
    """Return bilinear interpolation, with aligned corners or not."""
    return built("mxnet.nd.contrib.BilinearResize2D", partial(bilinear, corners=corners))


def upsample_and_concat(call: Callable[..., Any], lhs: Any, rhs: Any) -> Step:
    """Upsample both tensors and concatenate them."""
    options = {"sample_type": "nearest", "num_args": 2, "multi_input_mode": "concat"}
    return partial(call, lhs, rhs, scale=2, **options)
