"""VGG: https://arxiv.org/abs/1409.1556."""

from __future__ import annotations

from typing import Any

from torch import nn

from opperf.networks.pytorch.model import Model
from opperf.networks.registry import implements

WIDTHS = (64, 128, 256, 512, 512)
DEPTHS = {16: (2, 2, 3, 3, 3)}
"""Channels of each stage, and its convolutions by the layers of all."""
REDUCTION, HIDDEN = 32, 4096
"""By how much the stages reduce height and width, and the width of the classifier."""


@implements("vgg16", title="VGG-16", parameters=138_357_544, depth=16)
class Vgg(Model):
    """Stages of 3x3 convolutions, each followed by a pooling, and three fully connected layers."""

    batch = 4

    def __init__(self, depth: int, **given: Any) -> None:
        super().__init__(**given)
        layers: list[nn.Module] = []
        inputs = 3
        for outputs, count in zip(WIDTHS, DEPTHS[depth], strict=True):
            for _ in range(count):
                layers += [nn.Conv2d(inputs, outputs, 3, padding=1), nn.ReLU(inplace=True)]
                inputs = outputs
            layers.append(nn.MaxPool2d(2))
        self.body = nn.Sequential(
            *layers,
            nn.Flatten(),
            nn.Linear(inputs * (self.size // REDUCTION) ** 2, HIDDEN),
            nn.ReLU(inplace=True),
            nn.Dropout(),
            nn.Linear(HIDDEN, HIDDEN),
            nn.ReLU(inplace=True),
            nn.Dropout(),
            nn.Linear(HIDDEN, self.classes),
        )

    def forward(self, data: Any) -> Any:
        """Return the scores of each class."""
        return self.body(data)
