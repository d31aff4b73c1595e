"""Batch normalization."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.declaration import Declaration

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from opperf.core.tensors.tensor import Array, Shape

PER_CHANNEL = ("gamma", "beta", "moving_mean", "moving_var")


def per_channel(values: Array) -> Array:
    """Return one value per channel, broadcasting over NCHW."""
    return values[:, None, None]


def batch_norm(  # noqa: PLR0913 - five tensors by definition
    data: Array, gamma: Array, beta: Array, moving_mean: Array, moving_var: Array,
    *, eps: float, momentum: float,
) -> Array:  # fmt: skip
    """Return gamma * (data - moving_mean) / sqrt(moving_var + eps) + beta: inference."""
    del momentum  # moves statistics in training only
    scale = gamma / np.sqrt(moving_var + eps)
    return data * per_channel(scale) + per_channel(beta - moving_mean * scale)


def batch_norm_training(  # noqa: PLR0913 - as above
    data: Array, gamma: Array, beta: Array, moving_mean: Array, moving_var: Array,
    *, eps: float, momentum: float,
) -> Array:  # fmt: skip
    """Return gamma * (data - mean) / sqrt(var + eps) + beta, by the batch's statistics."""
    del moving_mean, moving_var
    mean, var = data.mean(axis=(0, 2, 3)), data.var(axis=(0, 2, 3))
    return batch_norm(data, gamma, beta, mean, var, eps=eps, momentum=momentum)


def batch_norm_gradient(  # noqa: PLR0913 - as above
    cotangents: Sequence[Array],
    data: Array, gamma: Array, beta: Array, moving_mean: Array, moving_var: Array,
    *, eps: float, momentum: float,
) -> tuple[Array, Array, Array]:  # fmt: skip
    """Differentiate through the batch's statistics (Ioffe and Szegedy 2015, section 3)."""
    del beta, moving_mean, moving_var, momentum
    axes, cotangent = (0, 2, 3), cotangents[0]
    deviation = np.sqrt(data.var(axis=axes) + eps)
    normal = (data - per_channel(data.mean(axis=axes))) / per_channel(deviation)
    by_gamma, by_beta = (cotangent * normal).sum(axis=axes), cotangent.sum(axis=axes)
    count = data.size // len(gamma)
    centered = cotangent - per_channel(by_beta / count) - normal * per_channel(by_gamma / count)
    return centered * per_channel(gamma / deviation), by_gamma, by_beta


class BatchNorm(Declaration):
    """gamma * (data - mean) / sqrt(var + eps) + beta, per channel of NCHW data.

    Inference takes the moving statistics, training the batch's. Typical is ResNet-50's first stage
    for 8 images; skewed has more channels than positions.
    """

    tensors = {
        "data": Tensor(),
        "gamma": Tensor(low=0.5, high=1.5),
        "beta": Tensor(),
        "moving_mean": Tensor(differentiable=False, state=True),
        "moving_var": Tensor(low=0.5, high=1.5, differentiable=False, state=True),
    }
    attributes = {"eps": 1e-5, "momentum": 0.9}
    sizes = {
        size: {"data": data}
        | dict.fromkeys(("gamma", "beta", "moving_mean", "moving_var"), data[1:2])
        for size, data in {
            "small": (2, 8, 8, 8),
            "typical": (8, 64, 56, 56),
            "large": (32, 64, 112, 112),
            "skewed": (3, 1021, 3, 5),
        }.items()
    }
    reference: ClassVar[Callable[..., Array]] = batch_norm
    training_reference: ClassVar[Callable[..., Array] | None] = batch_norm_training
    gradient: ClassVar[Callable[..., Sequence[Array]] | None] = batch_norm_gradient
    training_mode = True
    tolerance = CANCELING_SUMS.because("what is near the mean is a difference from it")
    gradient_tolerance = tolerance
    flops_per_element = 2  # a multiplication and an addition, as in inference

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        self.require_rank("data", 4)
        channels = self.inputs["data"][1]
        for name in PER_CHANNEL:
            self.require(self.inputs[name] == (channels,), name, f"must be ({channels},)")
        self.require(self.inputs["eps"] > 0, "eps", "must be positive")
        self.require(0 <= self.inputs["momentum"] <= 1, "momentum", "must lie in [0, 1]")
        return (self.inputs["data"],)
