"""PyTorch's convolutions."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import built, native
from opperf.operators.convolution import columns as convolution_columns
from opperf.operators.convolution import convolution
from opperf.operators.convolution import transpose as convolution_transpose
from opperf.operators.convolution import variants as convolution_variants

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def grouped(
    call: Callable[..., Any], data: Any, weight: Any, bias: Any, *, stride: int, padding: int
) -> Step:
    """Bind, with as many groups as the weight's channels make."""
    groups = data.shape[1] // weight.shape[1]
    options = {"stride": stride, "padding": padding, "groups": groups}
    return partial(call, data, weight, bias, **options)


TABLE = {
    convolution.Conv1D: native("torch.nn.functional.conv1d"),
    convolution.Conv2D: native("torch.nn.functional.conv2d"),
    convolution.Conv3D: native("torch.nn.functional.conv3d"),
    convolution.DepthwiseConv2D: built("torch.nn.functional.conv2d", grouped),
    convolution_transpose.Conv1DTranspose: native("torch.nn.functional.conv_transpose1d"),
    convolution_transpose.Conv2DTranspose: native("torch.nn.functional.conv_transpose2d"),
    convolution_transpose.Conv3DTranspose: native("torch.nn.functional.conv_transpose3d"),
    convolution_variants.PointwiseConv2D: native("torch.nn.functional.conv2d"),
    convolution_variants.GroupedConv2D: built("torch.nn.functional.conv2d", grouped),
    convolution_variants.DilatedConv2D: native("torch.nn.functional.conv2d"),
    convolution_variants.UnbiasedConv2D: native("torch.nn.functional.conv2d"),
    convolution_columns.Im2Col: native(
        "torch.nn.functional.unfold", rename={"kernel": "kernel_size"}
    ),
    convolution_columns.Col2Im: native(
        "torch.nn.functional.fold", rename={"kernel": "kernel_size"}
    ),
    convolution_variants.Conv2DChannelsLast: native("torch.nn.functional.conv2d"),
}
