"""MobileNetV2: https://arxiv.org/abs/1801.04381."""

from __future__ import annotations

from typing import Any

from torch import nn

from opperf.networks.pytorch.model import Model
from opperf.networks.registry import implements

STAGES = (
    (1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2),
    (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1),
)  # fmt: skip
"""Expansion, channels, blocks and stride of each."""
FIRST, LAST = 32, 1280


def activated(
    inputs: int, outputs: int, kernel: int, stride: int = 1, groups: int = 1
) -> nn.Sequential:
    """Return a convolution, its batch normalization, and min(max(x, 0), 6)."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, padding=kernel // 2, groups=groups, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU6(inplace=True),
    )


class InvertedResidual(nn.Module):
    """A depthwise convolution on more channels than go in and come out."""

    def __init__(self, inputs: int, outputs: int, stride: int, expansion: int) -> None:
        super().__init__()
        hidden = expansion * inputs
        self.body = nn.Sequential(
            *([activated(inputs, hidden, 1)] if expansion > 1 else []),
            activated(hidden, hidden, 3, stride, groups=hidden),
            nn.Conv2d(hidden, outputs, 1, bias=False),
            nn.BatchNorm2d(outputs),
        )
        self.adds = stride == 1 and inputs == outputs

    def forward(self, data: Any) -> Any:
        """Return the block's output, added to its input where they are alike."""
        return data + self.body(data) if self.adds else self.body(data)


@implements("mobilenet_v2", title="MobileNetV2", parameters=3_504_872)
class MobileNetV2(Model):
    """A stem, inverted residuals, and a linear classifier."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        blocks, inputs = [], FIRST
        for expansion, outputs, depth, first in STAGES:
            for position in range(depth):
                stride = 1 if position else first
                blocks.append(InvertedResidual(inputs, outputs, stride, expansion))
                inputs = outputs
        self.body = nn.Sequential(
            activated(3, FIRST, 3, 2),
            *blocks,
            activated(inputs, LAST, 1),
            nn.AdaptiveAvgPool2d(1),
            nn.Flatten(),
            nn.Dropout(0.2),
            nn.Linear(LAST, self.classes),
        )

    def forward(self, data: Any) -> Any:
        """Return the scores of each class."""
        return self.body(data)
