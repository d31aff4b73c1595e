"""OverFeat, the fast one, with dropout after its hidden linear layers: https://arxiv.org/abs/1312.6229."""

from __future__ import annotations

from typing import Any

from torch import nn

from opperf.networks.pytorch.layers import convolution, perceptron, side
from opperf.networks.pytorch.model import Model
from opperf.networks.registry import implements

HIDDEN, DROPOUT = (3072, 4096), 0.5


@implements("overfeat", title="OverFeat", parameters=145_920_872)
class Overfeat(Model):
    """Five convolutions without normalization, and three linear layers."""

    size, tiny = 231, 71

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        layers = [
            *convolution(3, 96, 11, 4),
            nn.MaxPool2d(2),
            *convolution(96, 256, 5),
            nn.MaxPool2d(2),
            *convolution(256, 512, 3, padding=1),
            *convolution(512, 1024, 3, padding=1),
            *convolution(1024, 1024, 3, padding=1),
            nn.MaxPool2d(2),
        ]
        self.layers = nn.Sequential(
            *layers,
            nn.Flatten(),
            *perceptron(
                1024 * side(layers, self.size) ** 2, (3072, 4096), self.classes, dropout=0.5
            ),
        )

    def forward(self, data: Any) -> Any:
        """Return the scores of each class."""
        return self.layers(data)
