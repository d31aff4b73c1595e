"""Gradients of convolutions by data or by weight alone: their costs differ.

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
    """Gradient of Conv1D by data alone."""

    by = "data"


class Conv1DWeightGradient(OneGradient, Conv1D):
    """Gradient of Conv1D by weight alone."""

    by = "weight"


class Conv2DDataGradient(OneGradient, Conv2D):
    """Gradient of Conv2D by data alone."""

    by = "data"


class Conv2DWeightGradient(OneGradient, Conv2D):
    """Gradient of Conv2D by weight alone."""

    by = "weight"


class Conv3DDataGradient(OneGradient, Conv3D):
    """Gradient of Conv3D by data alone."""

    by = "data"


class Conv3DWeightGradient(OneGradient, Conv3D):
    """Gradient of Conv3D by weight alone."""

    by = "weight"


class DepthwiseConv2DDataGradient(OneGradient, DepthwiseConv2D):
    """Gradient of DepthwiseConv2D by data alone."""

    by = "data"


class DepthwiseConv2DWeightGradient(OneGradient, DepthwiseConv2D):
    """Gradient of DepthwiseConv2D by weight alone."""

    by = "weight"


class Conv1DTransposeDataGradient(OneGradient, Conv1DTranspose):
    """Gradient of Conv1DTranspose by data alone."""

    by = "data"


class Conv1DTransposeWeightGradient(OneGradient, Conv1DTranspose):
    """Gradient of Conv1DTranspose by weight alone."""

    by = "weight"


class Conv2DTransposeDataGradient(OneGradient, Conv2DTranspose):
    """Gradient of Conv2DTranspose by data alone."""

    by = "data"


class Conv2DTransposeWeightGradient(OneGradient, Conv2DTranspose):
    """Gradient of Conv2DTranspose by weight alone."""

    by = "weight"


class Conv3DTransposeDataGradient(OneGradient, Conv3DTranspose):
    """Gradient of Conv3DTranspose by data alone."""

    by = "data"


class Conv3DTransposeWeightGradient(OneGradient, Conv3DTranspose):
    """Gradient of Conv3DTranspose by weight alone."""

    by = "weight"
