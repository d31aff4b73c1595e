"""What the Inception networks since the third are made of."""

from __future__ import annotations

from torch import nn

from opperf.networks.pytorch.layers import Parallel

EPSILON = 1e-3
DROPOUT = 0.2
Kernel = int | tuple[int, int]
Step = tuple[int, Kernel] | tuple[int, Kernel, int]
"""Outputs and kernel of a padded convolution; with a stride, of one without padding."""


def convolution_norm(
    inputs: int, outputs: int, kernel: Kernel, stride: int | None = None
) -> nn.Sequential:
    """Return a convolution without a bias, its batch normalization, and max(x, 0)."""
    height, width = (kernel, kernel) if isinstance(kernel, int) else kernel
    padding = (height // 2, width // 2) if stride is None else (0, 0)
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, (height, width), stride or 1, padding, bias=False),
        nn.BatchNorm2d(outputs, EPSILON),
        nn.ReLU(inplace=True),
    )


def chain(inputs: int, *steps: Step, then: nn.Module | None = None) -> nn.Sequential:
    """Return convolutions one after another, and a module after them."""
    layers: list[nn.Module] = []
    for step in steps:
        layers.append(convolution_norm(inputs, *step))
        inputs = step[0]
    return nn.Sequential(*layers, *([then] if then else []))


def fork(inputs: int, outputs: int) -> Parallel:
    """Return a 1x3 convolution and, beside it, a 3x1 one."""
    return Parallel(chain(inputs, (outputs, (1, 3))), chain(inputs, (outputs, (3, 1))))


def mean(inputs: int, outputs: int) -> nn.Sequential:
    """Return means of 3x3 pixels, the padding among them, and a 1x1 convolution."""
    return nn.Sequential(nn.AvgPool2d(3, 1, padding=1), chain(inputs, (outputs, 1)))


def classifier(inputs: int, classes: int) -> list[nn.Module]:
    """Return the mean of all pixels, dropout, and scores of each class."""
    return [
        nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Dropout(DROPOUT), nn.Linear(inputs, classes),
    ]  # fmt: skip
