"""The gradients of convolutions by data and by weight, each by itself: they differ in cost.

What adds up windows, and what multiplies them, are jobs of their own in every library.
"""

from __future__ import annotations

from opperf.declaring.one_gradient import OneGradient
from opperf.operators.convolution.convolution import Conv1D, Conv2D, Conv3D, DepthwiseConv2D
from opperf.operators.convolution.transpose import (
    Conv1DTranspose,
    Conv2DTranspose,
    Conv3DTranspose,
)


class Conv1DDataGradient(OneGradient, Conv1D):
    """The gradient of Conv1D by its data alone."""

    by = "data"


class Conv1DWeightGradient(OneGradient, Conv1D):
    """The gradient of Conv1D by its weight alone."""

    by = "weight"


class Conv2DDataGradient(OneGradient, Conv2D):
    """The gradient of Conv2D by its data alone."""

    by = "data"


class Conv2DWeightGradient(OneGradient, Conv2D):
    """The gradient of Conv2D by its weight alone."""

    by = "weight"


class Conv3DDataGradient(OneGradient, Conv3D):
    """The gradient of Conv3D by its data alone."""

    by = "data"


class Conv3DWeightGradient(OneGradient, Conv3D):
    """The gradient of Conv3D by its weight alone."""

    by = "weight"


class DepthwiseConv2DDataGradient(OneGradient, DepthwiseConv2D):
    """The gradient of DepthwiseConv2D by its data alone."""

    by = "data"


class DepthwiseConv2DWeightGradient(OneGradient, DepthwiseConv2D):
    """The gradient of DepthwiseConv2D by its weight alone."""

    by = "weight"


class Conv1DTransposeDataGradient(OneGradient, Conv1DTranspose):
    """The gradient of Conv1DTranspose by its data alone."""

    by = "data"


class Conv1DTransposeWeightGradient(OneGradient, Conv1DTranspose):
    """The gradient of Conv1DTranspose by its weight alone."""

    by = "weight"


class Conv2DTransposeDataGradient(OneGradient, Conv2DTranspose):
    """The gradient of Conv2DTranspose by its data alone."""

    by = "data"


class Conv2DTransposeWeightGradient(OneGradient, Conv2DTranspose):
    """The gradient of Conv2DTranspose by its weight alone."""

    by = "weight"


class Conv3DTransposeDataGradient(OneGradient, Conv3DTranspose):
    """The gradient of Conv3DTranspose by its data alone."""

    by = "data"


class Conv3DTransposeWeightGradient(OneGradient, Conv3DTranspose):
    """The gradient of Conv3DTranspose by its weight alone."""

    by = "weight"
