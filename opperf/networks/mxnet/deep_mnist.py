"""A network for handwritten digits: https://www.tensorflow.org/versions/r1.4/get_started/mnist/pros.

Two convolutions, each followed by a pooling, and two fully connected layers.
"""

from __future__ import annotations

from typing import Any

from mxnet.gluon import nn

from opperf.networks.mxnet.layers import sequence
from opperf.networks.mxnet.model import Model
from opperf.networks.registry import implements

REDUCTION = 4
"""By how much the poolings reduce height and width."""


@implements("deep_mnist", title="DeepMNIST", parameters=3_274_634)
class DeepMnist(Model):
    """Scores of ten digits on images of one channel."""

    size, tiny, batch, classes, channels = 28, 8, 32, 10, 1

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.body = sequence(
            nn.Conv2D(32, 5, padding=2, in_channels=1),
            nn.Activation("relu"),
            nn.MaxPool2D(2),
            nn.Conv2D(64, 5, padding=2, in_channels=32),
            nn.Activation("relu"),
            nn.MaxPool2D(2),
            nn.Flatten(),
            nn.Dense(1024, in_units=64 * (self.size // REDUCTION) ** 2),
            nn.Activation("relu"),
            nn.Dropout(0.5),
            nn.Dense(self.classes, in_units=1024),
        )

    def hybrid_forward(self, F: Any, data: Any) -> Any:  # noqa: ARG002, N803 - Gluon's name
        """Return the scores of each digit."""
        return self.body(data)
