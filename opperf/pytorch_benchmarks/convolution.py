"""PyTorch's convolutions."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.implementation import built, native
from opperf.operators import convolution, convolution_transpose

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.device import Step


def depthwise(
    call: Callable[..., Any], data: Any, weight: Any, bias: Any, *, stride: int, padding: int
) -> Step:
    """Bind, with a group a channel."""
    options = {"stride": stride, "padding": padding, "groups": data.shape[1]}
    return partial(call, data, weight, bias, **options)


TABLE = {
    convolution.Conv1D: native("torch.nn.functional.conv1d"),
    convolution.Conv2D: native("torch.nn.functional.conv2d"),
    convolution.Conv3D: native("torch.nn.functional.conv3d"),
    convolution.DepthwiseConv2D: built("torch.nn.functional.conv2d", depthwise),
    convolution_transpose.Conv1DTranspose: native("torch.nn.functional.conv_transpose1d"),
    convolution_transpose.Conv2DTranspose: native("torch.nn.functional.conv_transpose2d"),
}
