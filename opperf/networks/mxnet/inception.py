"""What the Inception networks since the third are made of."""

from __future__ import annotations

from typing import Any

from mxnet.gluon import nn

from opperf.networks.mxnet.layers import Parallel, sequence

EPSILON = 1e-3
DROPOUT = 0.2
Kernel = int | tuple[int, int]
Step = tuple[int, Kernel] | tuple[int, Kernel, int]
"""Outputs and kernel of a padded convolution; with a third number, the stride, it is not padded."""


def convolution_norm(
    inputs: int, outputs: int, kernel: Kernel, stride: int | None = None
) -> nn.HybridSequential:
    """Return a convolution without a bias, its batch normalization, and max(x, 0)."""
    height, width = (kernel, kernel) if isinstance(kernel, int) else kernel
    padding = (height // 2, width // 2) if stride is None else (0, 0)
    return sequence(
        nn.Conv2D(
            outputs, (height, width), stride or 1, padding, use_bias=False, in_channels=inputs
        ),
        nn.BatchNorm(epsilon=EPSILON, in_channels=outputs),
        nn.Activation("relu"),
    )


def chain(inputs: int, *steps: Step, then: Any = None) -> nn.HybridSequential:
    """Return convolutions one after another, and a block after them."""
    layers: list[Any] = []
    for outputs, kernel, *stride in steps:
        layers.append(convolution_norm(inputs, outputs, kernel, *stride))
        inputs = outputs
    return sequence(*layers, *([then] if then else []))


def fork(inputs: int, outputs: int) -> Parallel:
    """Return a 1x3 convolution and, beside it, a 3x1 one."""
    return Parallel(chain(inputs, (outputs, (1, 3))), chain(inputs, (outputs, (3, 1))))


def mean(inputs: int, outputs: int) -> nn.HybridSequential:
    """Return means of 3x3 pixels, the padding among them, and a 1x1 convolution."""
    return sequence(nn.AvgPool2D(3, 1, 1), chain(inputs, (outputs, 1)))


def classifier(inputs: int, classes: int) -> list[Any]:
    """Return the mean of all pixels, dropout, and scores of each class."""
    return [
        nn.GlobalAvgPool2D(), nn.Flatten(), nn.Dropout(DROPOUT), nn.Dense(classes, in_units=inputs),
    ]  # fmt: skip
