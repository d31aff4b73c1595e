"""MXNet's callables for the operators of convolution, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built
from opperf.core.frameworks.limitation import Limitation
from opperf.mxnet_benchmarks.binding.convolution import (
    convolve,
    deconvolve,
    dilated_convolution,
    grouped_convolution,
    unfolding,
)
from opperf.operators.convolution import columns, convolution, transpose, variants

CONVOLUTION = built("mxnet.nd.Convolution", convolve)
DECONVOLUTION = built("mxnet.nd.Deconvolution", deconvolve)
NO_3D = Limitation(
    dtypes=("float64", "float16"),
    words="Only 1D or 2D Deconvolution is natively supported",
    note="only oneDNN has a 3-D one, and it has neither of these dtypes",
)

TABLE = {
    columns.Im2Col: built("mxnet.nd.im2col", unfolding),
    columns.Col2Im: built("mxnet.nd.col2im", unfolding),
    convolution.Conv1D: CONVOLUTION,
    convolution.Conv2D: CONVOLUTION,
    convolution.Conv3D: CONVOLUTION,
    convolution.DepthwiseConv2D: built("mxnet.nd.Convolution", grouped_convolution),
    transpose.Conv1DTranspose: DECONVOLUTION,
    transpose.Conv2DTranspose: DECONVOLUTION,
    transpose.Conv3DTranspose: DECONVOLUTION.limited(
        NO_3D,
    ),
    variants.PointwiseConv2D: CONVOLUTION,
    variants.GroupedConv2D: built("mxnet.nd.Convolution", grouped_convolution),
    variants.DilatedConv2D: built("mxnet.nd.Convolution", dilated_convolution),
    variants.UnbiasedConv2D: CONVOLUTION,
}
