"""Perceptrons of digits, speech and sensors.

DeepMNIST: https://arxiv.org/abs/1003.0358, its widest. The acoustic model is one of a hybrid of a
hidden Markov model and a network, in the manner of https://research.google/pubs/pub40565 (Large
Scale Distributed Deep Networks). SensorNet has no paper: dlbs, docs/models/models.md.
"""

from __future__ import annotations

from typing import Any

from mxnet.gluon import nn

from opperf.networks.mxnet.layers import perceptron, sequence
from opperf.networks.mxnet.model import Model
from opperf.networks.registry import implements


class Perceptron(Model):
    """Linear layers with rectifiers between them, of vectors."""

    hidden: tuple[int, ...]

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.layers = sequence(
            nn.Flatten(), *perceptron(self.inputs, self.hidden, self.classes)
        )

    @property
    def inputs(self) -> int:
        """How many numbers an example has."""
        return self.size

    def hybrid_forward(self, F: Any, data: Any) -> Any:  # noqa: ARG002, N803 - Gluon's
        """Return the scores of each class."""
        return self.layers(data)


@implements("deep_mnist", title="DeepMNIST", parameters=11_972_510)
class DeepMnist(Perceptron):
    """Digits of 28 x 28 pixels."""

    size, tiny, classes = 28, 8, 10
    hidden = 2500, 2000, 1500, 1000, 500

    @property
    def inputs(self) -> int:
        """How many pixels an example has."""
        return self.size**2


@implements("acoustic_model", title="AcousticModel", parameters=34_678_784)
@implements("eng_acoustic_model", title="AcousticModel", parameters=34_678_784)
class AcousticModel(Perceptron):
    """Features of a frame of speech, and as many classes as the Markov model has states."""

    size, tiny, classes = 540, 16, 8192
    hidden = 2048, 2048, 2048, 2048, 2048


@implements("sensor_net", title="SensorNet", parameters=2_919_440)
class SensorNet(Perceptron):
    """Readings of sensors."""

    size, tiny, classes = 784, 16, 16
    hidden = 1024, 1024, 1024
