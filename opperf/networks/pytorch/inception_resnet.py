"""Inception-ResNet v2: https://arxiv.org/abs/1602.07261, section 3.2, as its authors published it.

Their program begins as Inception v3 does, has 320 channels where the paper's figure has 384, and
repeats its blocks 10, 20 and 10 times where the paper says 5, 10 and 5.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from opperf.networks.pytorch.inception import chain, classifier, convolution_norm, mean
from opperf.networks.pytorch.layers import Parallel
from opperf.networks.pytorch.model import Model
from opperf.networks.registry import implements


class ScaledResidual(nn.Module):
    """max(x + scale * project(branches(x)), 0); the last of a network is not rectified."""

    def __init__(
        self, channels: int, width: int, scale: float, *branches: nn.Module, last: bool = False
    ) -> None:
        super().__init__()
        self.scale, self.last = scale, last
        self.branches = Parallel(*branches)
        self.project = nn.Conv2d(width, channels, 1)

    def forward(self, data: Any) -> Any:
        """Return the block's output."""
        data = data + self.scale * self.project(self.branches(data))
        return data if self.last else torch.relu(data)


def block_35() -> ScaledResidual:
    """Return a block of 320 channels and 35 x 35 pixels."""
    return ScaledResidual(
        320, 128, 0.17,
        chain(320, (32, 1)),
        chain(320, (32, 1), (32, 3)),
        chain(320, (32, 1), (48, 3), (64, 3)),
    )  # fmt: skip


def block_17() -> ScaledResidual:
    """Return a block of 1088 channels and 17 x 17 pixels."""
    return ScaledResidual(
        1088, 384, 0.1,
        chain(1088, (192, 1)),
        chain(1088, (128, 1), (160, (1, 7)), (192, (7, 1))),
    )  # fmt: skip


def block_8(scale: float = 0.2, *, last: bool = False) -> ScaledResidual:
    """Return a block of 2080 channels and 8 x 8 pixels."""
    return ScaledResidual(
        2080, 448, scale,
        chain(2080, (192, 1)),
        chain(2080, (192, 1), (224, (1, 3)), (256, (3, 1))),
        last=last,
    )  # fmt: skip


@implements("inception_resnet_v2", title="Inception-ResNet v2", parameters=55_843_464)
class InceptionResNet(Model):
    """Inception modules that add to their input, at three sizes."""

    size, tiny = 299, 75

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.layers = nn.Sequential(
            *chain(3, (32, 3, 2), (32, 3, 1), (64, 3)),
            nn.MaxPool2d(3, 2),
            *chain(64, (80, 1), (192, 3, 1)),
            nn.MaxPool2d(3, 2),
            Parallel(
                chain(192, (96, 1)),
                chain(192, (48, 1), (64, 5)),
                chain(192, (64, 1), (96, 3), (96, 3)),
                mean(192, 64),
            ),
            *(block_35() for _ in range(10)),
            Parallel(
                chain(320, (384, 3, 2)),
                chain(320, (256, 1), (256, 3), (384, 3, 2)),
                nn.MaxPool2d(3, 2),
            ),
            *(block_17() for _ in range(20)),
            Parallel(
                chain(1088, (256, 1), (384, 3, 2)),
                chain(1088, (256, 1), (288, 3, 2)),
                chain(1088, (256, 1), (288, 3), (320, 3, 2)),
                nn.MaxPool2d(3, 2),
            ),
            *(block_8() for _ in range(9)),
            block_8(1.0, last=True),
            convolution_norm(2080, 1536, 1),
            *classifier(1536, self.classes),
        )

    def forward(self, data: Any) -> Any:
        """Return the scores of each class."""
        return self.layers(data)
