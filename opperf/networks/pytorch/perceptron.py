"""Perceptrons of digits, speech and sensors.

DeepMNIST: https://arxiv.org/abs/1003.0358, its widest. The acoustic model is one of a hybrid of a
hidden Markov model and a network, in the manner of https://research.google/pubs/pub40565 (Large
Scale Distributed Deep Networks). SensorNet has no paper: dlbs, docs/models/models.md.
"""

from __future__ import annotations

from typing import Any

from torch import nn

from opperf.networks.pytorch.layers import perceptron
from opperf.networks.pytorch.model import Model
from opperf.networks.registry import implements


class Perceptron(Model):
    """Linear layers with rectifiers between them, of vectors."""

    hidden: tuple[int, ...]

    def __init__(self, *, size: int | None = None) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Flatten(), *perceptron(size or self.size, self.hidden, self.classes)
        )

    def forward(self, data: Any) -> Any:
        """Return the scores of each class."""
        return self.layers(data)


@implements("deep_mnist")
class DeepMnist(Perceptron):
    """Digits of 28 x 28 pixels."""

    title = "DeepMNIST"
    parameter_count = 11_972_510
    size, tiny, classes = 28, 8, 10
    hidden = 2500, 2000, 1500, 1000, 500

    def __init__(self, *, size: int = size) -> None:
        super().__init__(size=size * size)


@implements("acoustic_model")
@implements("eng_acoustic_model")
class AcousticModel(Perceptron):
    """Features of a frame of speech, and as many classes as the Markov model has states."""

    title = "AcousticModel"
    parameter_count = 34_678_784
    size, tiny, classes = 540, 16, 8192
    hidden = 2048, 2048, 2048, 2048, 2048


@implements("sensor_net")
class SensorNet(Perceptron):
    """Readings of sensors."""

    title = "SensorNet"
    # By hand: weights 784 * 1024 + 2 * 1024 * 1024 + 1024 * 16, biases 3 * 1024 + 16.
    parameter_count = 2_919_440
    size, tiny, classes = 784, 16, 16
    hidden = 1024, 1024, 1024
