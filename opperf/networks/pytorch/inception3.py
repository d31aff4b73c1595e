"""Inception v3 without its auxiliary classifier: https://arxiv.org/abs/1512.00567."""

from __future__ import annotations

from typing import Any

from torch import nn

from opperf.networks.pytorch.inception import chain, classifier, fork, mean
from opperf.networks.pytorch.layers import Parallel
from opperf.networks.pytorch.model import Model
from opperf.networks.registry import implements


def module_35(inputs: int, pooled: int) -> Parallel:
    """Return a module of 35 x 35 pixels: 5x5 convolutions, and pairs of 3x3 ones."""
    return Parallel(
        chain(inputs, (64, 1)),
        chain(inputs, (48, 1), (64, 5)),
        chain(inputs, (64, 1), (96, 3), (96, 3)),
        mean(inputs, pooled),
    )


def module_17(inputs: int, width: int) -> Parallel:
    """Return a module of 17 x 17 pixels: 7x7 convolutions, each as 1x7 and 7x1."""
    row, column = (width, (1, 7)), (width, (7, 1))
    return Parallel(
        chain(inputs, (192, 1)),
        chain(inputs, (width, 1), row, (192, (7, 1))),
        chain(inputs, (width, 1), column, row, column, (192, (1, 7))),
        mean(inputs, 192),
    )


def module_8(inputs: int) -> Parallel:
    """Return a module of 8 x 8 pixels: 3x3 convolutions, each as 1x3 beside 3x1."""
    return Parallel(
        chain(inputs, (320, 1)),
        chain(inputs, (384, 1), then=fork(384, 384)),
        chain(inputs, (448, 1), (384, 3), then=fork(384, 384)),
        mean(inputs, 192),
    )


@implements("inception3", title="Inception v3", parameters=23_834_568)
class InceptionV3(Model):
    """Six layers, and eleven modules at three sizes."""

    size, tiny = 299, 75

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.layers = nn.Sequential(
            *chain(3, (32, 3, 2), (32, 3, 1), (64, 3)),
            nn.MaxPool2d(3, 2),
            *chain(64, (80, 1), (192, 3, 1)),
            nn.MaxPool2d(3, 2),
            module_35(192, 32),
            module_35(256, 64),
            module_35(288, 64),
            Parallel(
                chain(288, (384, 3, 2)),
                chain(288, (64, 1), (96, 3), (96, 3, 2)),
                nn.MaxPool2d(3, 2),
            ),
            *(module_17(768, width) for width in (128, 160, 160, 192)),
            Parallel(
                chain(768, (192, 1), (320, 3, 2)),
                chain(768, (192, 1), (192, (1, 7)), (192, (7, 1)), (192, 3, 2)),
                nn.MaxPool2d(3, 2),
            ),
            module_8(1280),
            module_8(2048),
            *classifier(2048, self.classes),
        )

    def forward(self, data: Any) -> Any:
        """Return the scores of each class."""
        return self.layers(data)
