"""Fused operators, each beside the composition of parts that it replaces."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from opperf.core.limitation import Limitation
from opperf.operators.convolution import Conv2D, conv2d, conv2d_gradient

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensor import Array


def conv_relu(data: Array, weight: Array, bias: Array, *, stride: int, padding: int) -> Array:
    """Cross-correlate, then cut off below zero."""
    return np.maximum(conv2d(data, weight, bias, stride=stride, padding=padding), 0)


def conv_relu_gradient(
    seeds: Sequence[Array], data: Array, weight: Array, bias: Array, *, stride: int, padding: int
) -> tuple[Array, Array, Array]:
    """Let through what the cut let through."""
    passed = conv2d(data, weight, bias, stride=stride, padding=padding) > 0
    seed = seeds[0] * passed
    return conv2d_gradient([seed], data, weight, bias, stride=stride, padding=padding)


class ConvReLU(Conv2D):
    """A 2-D convolution with bias and its ReLU; sizes as Conv2D."""

    category = "fused"
    fusable = True
    reference = staticmethod(conv_relu)
    gradient = staticmethod(conv_relu_gradient)
    limitations = (
        Limitation(
            framework="mxnet",
            fused=True,
            directions=("backward", "forward_backward"),
            words="gradient by data is 0 where the reference is",
            note="the gradients of its oneDNN subgraph are zero, without an error",
        ),
    )
