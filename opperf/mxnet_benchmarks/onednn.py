"""MXNet's oneDNN: the instruction sets it may use, and what it lacks without some."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.environment.onednn import OneDNN
from opperf.core.frameworks.requirement import Requirement

if TYPE_CHECKING:
    from collections.abc import Mapping

    from opperf.core.frameworks.variant import Variant

BUILD = OneDNN(("DNNL_MAX_CPU_ISA",), any_case=False)
"""oneDNN 2.4, which reads upper-case settings under its older name only."""

WHOLE = """
    AvgPool1D AvgPool2D AvgPool3D CELU Conv1D Conv1DDataGradient Conv1DTranspose
    Conv1DTransposeDataGradient Conv1DTransposeWeightGradient Conv1DWeightGradient Conv2D
    Conv2DDataGradient Conv2DTranspose Conv2DTransposeDataGradient
    Conv2DTransposeWeightGradient Conv2DWeightGradient Conv3D Conv3DDataGradient
    Conv3DTranspose Conv3DTransposeDataGradient Conv3DTransposeWeightGradient
    Conv3DWeightGradient Dense DenseDataGradient DenseWeightGradient DepthwiseConv2D
    DepthwiseConv2DDataGradient DepthwiseConv2DWeightGradient DilatedConv2D ELU GRUCell GELU
    GlobalAvgPool1D GlobalAvgPool2D GlobalAvgPool3D GlobalMaxPool1D GlobalMaxPool2D
    GlobalMaxPool3D GroupedConv2D ILeakyReLU LSTMCell LeakyReLU LocalResponseNorm LogisticLoss
    MaxPool1D MaxPool2D MaxPool3D MultiLabelSoftMarginLoss PointwiseConv2D
    SigmoidBinaryCrossEntropyLoss Softplus UnbiasedConv2D
"""
FUSED = """
    ConvAddReLU ConvBias ConvReLU ConvReLU6 ConvSigmoid DenseBias DenseGELU DenseReLU
"""
UNFUSED = """
    AddReLU BiasGELU ConvAddReLU ConvBias ConvReLU ConvReLU6 ConvSigmoid ConvSiLU DenseAdd
    DenseBias DenseGELU DenseReLU DenseSoftmax GEGLU GatedAddReLU LSTM
    PointwiseDepthwiseConv2D SwiGLU
"""
KNOWN: Mapping[Variant, str] = {"only": WHOLE, "fused": FUSED, "unfused": UNFUSED}
BFLOAT16 = Requirement(
    requires="avx512_core",
    words="could not create a primitive",
    dtypes=("bfloat16",),
    known=frozenset((name, variant) for variant, names in KNOWN.items() for name in names.split()),
)
