"""A network for handwritten digits: https://www.tensorflow.org/versions/r1.4/get_started/mnist/pros.

Two convolutions, each followed by a pooling, and two fully connected layers.
"""

from __future__ import annotations

from typing import Any

from torch import nn

from opperf.networks.pytorch.model import Model
from opperf.networks.registry import implements

REDUCTION = 4
"""By how much the poolings reduce height and width."""


@implements("deep_mnist", title="DeepMNIST", parameters=3_274_634)
class DeepMnist(Model):
    """Scores of ten digits on images of one channel."""

    size, tiny, batch, classes, channels = 28, 8, 32, 10, 1

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.body = nn.Sequential(
            nn.Conv2d(1, 32, 5, padding=2),
            nn.ReLU(inplace=True),
            nn.MaxPool2d(2),
            nn.Conv2d(32, 64, 5, padding=2),
            nn.ReLU(inplace=True),
            nn.MaxPool2d(2),
            nn.Flatten(),
            nn.Linear(64 * (self.size // REDUCTION) ** 2, 1024),
            nn.ReLU(inplace=True),
            nn.Dropout(0.5),
            nn.Linear(1024, self.classes),
        )

    def forward(self, data: Any) -> Any:
        """Return the scores of each digit."""
        return self.body(data)
