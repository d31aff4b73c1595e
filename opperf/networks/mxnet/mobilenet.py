"""MobileNetV2: https://arxiv.org/abs/1801.04381."""

from __future__ import annotations

from typing import Any

from mxnet.gluon import HybridBlock, nn

from opperf.networks.mxnet.layers import ClippedReLU, sequence
from opperf.networks.mxnet.model import Model
from opperf.networks.registry import implements

STAGES = (
    (1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2),
    (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1),
)  # fmt: skip
"""Expansion, channels, blocks and stride of each."""
FIRST, LAST = 32, 1280
MOST = 6


def activated(
    inputs: int, outputs: int, kernel: int, stride: int = 1, groups: int = 1
) -> nn.HybridSequential:
    """Return a convolution, its batch normalization, and min(max(x, 0), 6)."""
    return sequence(
        nn.Conv2D(
            outputs, kernel, stride, kernel // 2,
            groups=groups, use_bias=False, in_channels=inputs,
        ),
        nn.BatchNorm(in_channels=outputs),
        ClippedReLU(MOST),
    )  # fmt: skip


class InvertedResidual(HybridBlock):
    """A depthwise convolution on more channels than go in and come out."""

    def __init__(self, inputs: int, outputs: int, stride: int, expansion: int) -> None:
        super().__init__()
        hidden = expansion * inputs
        self.body = sequence(
            *([activated(inputs, hidden, 1)] if expansion > 1 else []),
            activated(hidden, hidden, 3, stride, groups=hidden),
            nn.Conv2D(outputs, 1, use_bias=False, in_channels=hidden),
            nn.BatchNorm(in_channels=outputs),
        )
        self.adds = stride == 1 and inputs == outputs

    def hybrid_forward(self, F: Any, data: Any) -> Any:  # noqa: ARG002, N803 - Gluon's
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
        self.body = sequence(
            activated(3, FIRST, 3, 2),
            *blocks,
            activated(inputs, LAST, 1),
            nn.GlobalAvgPool2D(),
            nn.Flatten(),
            nn.Dropout(0.2),
            nn.Dense(self.classes, in_units=LAST),
        )

    def hybrid_forward(self, F: Any, data: Any) -> Any:  # noqa: ARG002, N803 - Gluon's name
        """Return the scores of each class."""
        return self.body(data)
