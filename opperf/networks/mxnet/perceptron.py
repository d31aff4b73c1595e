"""Perceptrons of speech and of sensors.

The acoustic model is one of a hybrid of a hidden Markov model and a network, in the manner of
https://research.google/pubs/pub40565 (Large Scale Distributed Deep Networks). SensorNet has no
paper: it is dlbs', as are the widths of both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mxnet.gluon import nn

from opperf.networks.examples import vector_classes
from opperf.networks.mxnet.layers import perceptron, sequence
from opperf.networks.mxnet.model import Model
from opperf.networks.registry import implements

if TYPE_CHECKING:
    from numpy.random import Generator

    from opperf.networks.examples import Example


class Perceptron(Model):
    """Linear layers with rectifiers between them, of vectors."""

    hidden: tuple[int, ...]

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.layers = sequence(nn.Flatten(), *perceptron(self.inputs, self.hidden, self.classes))

    @property
    def inputs(self) -> int:
        """How many numbers an example has."""
        return self.size

    def hybrid_forward(self, F: Any, data: Any) -> Any:  # noqa: ARG002, N803 - Gluon's
        """Return the scores of each class."""
        return self.layers(data)

    def example(self, batch: int, generator: Generator) -> Example:
        """Return random vectors, and a class of each."""
        return vector_classes(generator, batch, self.size, self.classes)


@implements("acoustic_model", title="Acoustic model", parameters=34_678_784)
@implements("eng_acoustic_model", title="Acoustic model", parameters=34_678_784)
class AcousticModel(Perceptron):
    """Features of a frame of speech, and as many classes as the Markov model has states."""

    size, tiny, classes = 540, 16, 8192
    hidden = 2048, 2048, 2048, 2048, 2048


# By hand: weights 784 * 1024 + 2 * 1024 * 1024 + 1024 * 16, biases 3 * 1024 + 16.
@implements("sensor_net", title="SensorNet", parameters=2_919_440)
class SensorNet(Perceptron):
    """Readings of sensors."""

    size, tiny, classes = 784, 16, 16
    hidden = 1024, 1024, 1024
