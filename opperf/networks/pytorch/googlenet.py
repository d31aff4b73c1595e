"""GoogLeNet without its auxiliary classifiers: https://arxiv.org/abs/1409.4842, table 1."""

from __future__ import annotations

from typing import Any

from torch import nn

from opperf.networks.pytorch.layers import Parallel, ResponseNorm, convolution
from opperf.networks.pytorch.model import Model
from opperf.networks.registry import implements

MODULES = (
    ((64, 96, 128, 16, 32, 32), (128, 128, 192, 32, 96, 64)),
    (
        (192, 96, 208, 16, 48, 64), (160, 112, 224, 24, 64, 64), (128, 128, 256, 24, 64, 64),
        (112, 144, 288, 32, 64, 64), (256, 160, 320, 32, 128, 128),
    ),
    ((256, 160, 320, 32, 128, 128), (384, 192, 384, 48, 128, 128)),
)  # fmt: skip
"""Channels of each module, stage by stage: 1x1, before 3x3, 3x3, before 5x5, 5x5, after pooling."""


def module(inputs: int, channels: tuple[int, ...]) -> Parallel:
    """Return an Inception module."""
    one, three_before, three, five_before, five, pooled = channels
    return Parallel(
        nn.Sequential(*convolution(inputs, one, 1)),
        nn.Sequential(
            *convolution(inputs, three_before, 1), *convolution(three_before, three, 3, padding=1)
        ),
        nn.Sequential(
            *convolution(inputs, five_before, 1), *convolution(five_before, five, 5, padding=2)
        ),
        nn.Sequential(nn.MaxPool2d(3, 1, padding=1), *convolution(inputs, pooled, 1)),
    )


def halved() -> nn.MaxPool2d:
    """Return maxima that round the size up, as the paper's table has it."""
    return nn.MaxPool2d(3, 2, ceil_mode=True)


@implements("googlenet", title="GoogLeNet", parameters=6_998_552)
class GoogLeNet(Model):
    """Three convolutions, nine Inception modules, and a linear classifier."""

    size, tiny = 224, 48

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        layers = [
            *convolution(3, 64, 7, 2, 3), halved(), ResponseNorm(),
            *convolution(64, 64, 1), *convolution(64, 192, 3, padding=1), ResponseNorm(),
        ]  # fmt: skip
        inputs = 192
        for stage in MODULES:
            layers.append(halved())
            for channels in stage:
                layers.append(module(inputs, channels))
                one, _, three, _, five, pooled = channels
                inputs = one + three + five + pooled
        self.layers = nn.Sequential(
            *layers,
            nn.AdaptiveAvgPool2d(1),
            nn.Flatten(),
            nn.Dropout(0.4),
            nn.Linear(inputs, self.classes),
        )

    def forward(self, data: Any) -> Any:
        """Return the scores of each class."""
        return self.layers(data)
