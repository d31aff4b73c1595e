"""Batch normalization in channels-last layout, and with frozen statistics."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from opperf.declaring.layouts import WithChannelsLast
from opperf.operators.normalization.normalization import BatchNorm, batch_norm, per_channel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array


class BatchNormChannelsLast(WithChannelsLast, BatchNorm):
    """Batch normalization of NCHW data that is channels-last in memory."""


def fixed_statistics_gradient(  # noqa: PLR0913 - five tensors by definition
    cotangents: Sequence[Array],
    data: Array, gamma: Array, beta: Array, moving_mean: Array, moving_var: Array,
    *, eps: float, momentum: float,
) -> tuple[Array, Array, Array]:  # fmt: skip
    """Differentiate a scale and an offset; the statistics are constants."""
    del beta, momentum
    axes, cotangent = (0, 2, 3), cotangents[0]
    deviation = np.sqrt(moving_var + eps)
    normal = (data - per_channel(moving_mean)) / per_channel(deviation)
    by_data = cotangent * per_channel(gamma / deviation)
    return by_data, (cotangent * normal).sum(axis=axes), cotangent.sum(axis=axes)


class BatchNormFrozen(BatchNorm):
    """Batch normalization by the moving statistics, in training too.

    As where a backbone is fine-tuned: a scale and an offset per channel are differentiated. Sizes
    are those of BatchNorm.
    """

    tensors = {name: replace(tensor, state=False) for name, tensor in BatchNorm.tensors.items()}
    training_reference = batch_norm
    gradient = fixed_statistics_gradient
    training_mode = False
