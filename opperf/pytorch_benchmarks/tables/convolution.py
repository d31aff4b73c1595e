"""PyTorch's callables for the operators of convolution, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built, native
from opperf.operators.convolution import columns, convolution, transpose, variants
from opperf.pytorch_benchmarks.binding.convolution import grouped_convolution

TABLE = {
    columns.Im2Col: native("torch.nn.functional.unfold", rename={"kernel": "kernel_size"}),
    columns.Col2Im: native("torch.nn.functional.fold", rename={"kernel": "kernel_size"}),
    convolution.Conv1D: native("torch.nn.functional.conv1d"),
    convolution.Conv2D: native("torch.nn.functional.conv2d"),
    convolution.Conv3D: native("torch.nn.functional.conv3d"),
    convolution.DepthwiseConv2D: built("torch.nn.functional.conv2d", grouped_convolution),
    transpose.Conv1DTranspose: native("torch.nn.functional.conv_transpose1d"),
    transpose.Conv2DTranspose: native("torch.nn.functional.conv_transpose2d"),
    transpose.Conv3DTranspose: native("torch.nn.functional.conv_transpose3d"),
    variants.PointwiseConv2D: native("torch.nn.functional.conv2d"),
    variants.GroupedConv2D: built("torch.nn.functional.conv2d", grouped_convolution),
    variants.DilatedConv2D: native("torch.nn.functional.conv2d"),
    variants.UnbiasedConv2D: native("torch.nn.functional.conv2d"),
    variants.Conv2DChannelsLast: native("torch.nn.functional.conv2d"),
}
