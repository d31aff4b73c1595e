"""ResNet-18 and ResNet-50: https://arxiv.org/abs/1512.03385.

The stride of a bottleneck stands at its 3x3 convolution, as in torchvision's (often named v1.5).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import nn

from opperf.pytorch_benchmarks.networks.examples import CLASSES, classification, images

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.pytorch_benchmarks.networks.examples import Example

WIDTHS = (64, 128, 256, 512)


def normalized(inputs: int, outputs: int, kernel: int, stride: int = 1) -> nn.Sequential:
    """Return a convolution without a bias, and its batch normalization."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, padding=kernel // 2, bias=False),
        nn.BatchNorm2d(outputs),
    )


class Residual(nn.Module):
    """relu(body(x) + shortcut(x))."""

    def __init__(self, body: Sequence[nn.Module], inputs: int, outputs: int, stride: int) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        for layer in body:
            layers += [layer, nn.ReLU(inplace=True)]
        self.body = nn.Sequential(*layers[:-1])
        same = stride == 1 and inputs == outputs
        self.shortcut = nn.Identity() if same else normalized(inputs, outputs, 1, stride)

    def forward(self, data: Any) -> Any:
        """Return the block's output."""
        return torch.relu_(self.body(data) + self.shortcut(data))


def basic(inputs: int, width: int, stride: int) -> Residual:
    """Return two 3x3 convolutions."""
    body = [normalized(inputs, width, 3, stride), normalized(width, width, 3)]
    return Residual(body, inputs, width, stride)


def bottleneck(inputs: int, width: int, stride: int) -> Residual:
    """Return a 3x3 convolution on a quarter of the channels, between two 1x1 ones."""
    outputs = 4 * width
    body = [
        normalized(inputs, width, 1),
        normalized(width, width, 3, stride),
        normalized(width, outputs, 1),
    ]
    return Residual(body, inputs, outputs, stride)


def resnet(block: Any, expansion: int, depths: Sequence[int]) -> nn.Sequential:
    """Return a stem, four stages of blocks, and a linear classifier."""
    stages, inputs = [], WIDTHS[0]
    for stage, (width, depth) in enumerate(zip(WIDTHS, depths, strict=True)):
        blocks = []
        for position in range(depth):
            blocks.append(block(inputs, width, 2 if stage and not position else 1))
            inputs = expansion * width
        stages.append(nn.Sequential(*blocks))
    return nn.Sequential(
        normalized(3, WIDTHS[0], 7, 2),
        nn.ReLU(inplace=True),
        nn.MaxPool2d(3, 2, padding=1),
        *stages,
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(inputs, CLASSES),
    )


def resnet18(batch: int = 8) -> Example:
    """Return ResNet-18."""
    return resnet(basic, 1, (2, 2, 2, 2)), (images(batch),), classification(batch)


def resnet50(batch: int = 8) -> Example:
    """Return ResNet-50."""
    return resnet(bottleneck, 4, (3, 4, 6, 3)), (images(batch),), classification(batch)
