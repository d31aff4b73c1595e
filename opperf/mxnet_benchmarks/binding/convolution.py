"""MXNet's convolutions."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def window(weight: Any, stride: int, padding: int, axis: int = 0) -> dict[str, Any]:
    """Return the parameters of a convolution whose filters lie along `axis` of the weight."""
    kernel = weight.shape[2:]
    spatial = {"stride": (stride,) * len(kernel), "pad": (padding,) * len(kernel)}
    return {"num_filter": weight.shape[axis], "kernel": kernel, **spatial}


def convolve(
    call: Callable[..., Any], data: Any, weight: Any, *bias: Any, stride: int, padding: int
) -> Step:
    """Convolution, with or without a bias."""
    options = window(weight, stride, padding)
    return partial(call, data, weight, *bias, no_bias=not bias, **options)


def deconvolve(
    call: Callable[..., Any], data: Any, weight: Any, bias: Any, *, stride: int, padding: int
) -> Step:
    """Transposed convolution; MXNet takes no bias unless told so."""
    options = window(weight, stride, padding, axis=1)
    return partial(call, data, weight, bias, no_bias=False, **options)


def grouped_convolution(
    call: Callable[..., Any], data: Any, weight: Any, bias: Any, *, stride: int, padding: int
) -> Step:
    """Grouped convolution, with the number of groups given by the weight's channels."""
    groups = data.shape[1] // weight.shape[1]
    return partial(call, data, weight, bias, num_group=groups, **window(weight, stride, padding))


def dilated_convolution(  # noqa: PLR0913 - tensors and attributes by definition
    call: Callable[..., Any], data: Any, weight: Any, bias: Any,
    *, stride: int, padding: int, dilation: int,
) -> Step:  # fmt: skip
    """Dilated convolution."""
    options = window(weight, stride, padding)
    return partial(call, data, weight, bias, dilate=(dilation,) * 2, **options)


def unfolding(
    call: Callable[..., Any], data: Any, *, stride: int, padding: int, **attributes: Any
) -> Step:
    """The windows of images as columns (im2col)."""
    return partial(call, data, stride=(stride,) * 2, pad=(padding,) * 2, **attributes)
