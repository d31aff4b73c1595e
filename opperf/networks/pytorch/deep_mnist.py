"""DeepMNIST, a perceptron of handwritten digits: https://arxiv.org/abs/1003.0358, the widest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.networks.examples import image_classes
from opperf.networks.pytorch.perceptron import Perceptron
from opperf.networks.registry import implements

if TYPE_CHECKING:
    from numpy.random import Generator

    from opperf.networks.examples import Example


@implements("deep_mnist", title="DeepMNIST", parameters=11_972_510)
class DeepMnist(Perceptron):
    """Scores of ten digits on images of one channel."""

    size, tiny, batch, classes, channels = 28, 8, 32, 10, 1
    hidden = 2500, 2000, 1500, 1000, 500

    @property
    def inputs(self) -> int:
        """How many pixels an image has."""
        return self.size**2

    def example(self, batch: int, generator: Generator) -> Example:
        """Return images, and a digit of each."""
        return image_classes(generator, batch, (self.channels, self.size), self.classes)
