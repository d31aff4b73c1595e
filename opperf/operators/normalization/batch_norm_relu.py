"""Batch normalization followed by ReLU, in one operator."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from opperf.operators.normalization.normalization import (
    BatchNorm,
    batch_norm,
    batch_norm_gradient,
    batch_norm_training,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array


def batch_norm_relu(*tensors: Array, eps: float, momentum: float) -> Array:
    """max(0, batch_norm(data)), by the moving statistics."""
    return np.maximum(batch_norm(*tensors, eps=eps, momentum=momentum), 0)


def batch_norm_relu_training(*tensors: Array, eps: float, momentum: float) -> Array:
    """max(0, batch_norm(data)), by the batch's statistics."""
    return np.maximum(batch_norm_training(*tensors, eps=eps, momentum=momentum), 0)


def batch_norm_relu_gradient(
    cotangents: Sequence[Array], *tensors: Array, eps: float, momentum: float
) -> tuple[Array, Array, Array]:
    """Differentiate where the output is positive."""
    kept = batch_norm_training(*tensors, eps=eps, momentum=momentum) > 0
    return batch_norm_gradient([cotangents[0] * kept], *tensors, eps=eps, momentum=momentum)


class BatchNormReLU(BatchNorm):
    """max(0, batch_norm(data)) of NCHW data, in one operator."""

    reference = batch_norm_relu
    training_reference = batch_norm_relu_training
    gradient = batch_norm_relu_gradient
    dtypes = ("float32",)
