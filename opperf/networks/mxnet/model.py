"""The base of all networks in Gluon."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from mxnet import nd
from mxnet.gluon import HybridBlock
from mxnet.gluon.loss import SoftmaxCrossEntropyLoss

from opperf.networks.examples import image_classes

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.random import Generator

    from opperf.networks.examples import Example


class Model(HybridBlock):
    """A network with example inputs and a loss; `opperf.networks.registry` says how it is known.

    `size` is what its inputs are as large as, in pixels, tokens or frames, `tiny` the least that a
    training step works with, `batch` how many examples a step has where nobody says; images have
    `channels`.
    """

    size: int = 224
    tiny: int = 32
    batch: int = 8
    classes: int = 1000
    channels: int = 3

    def __init__(self, size: int | None = None) -> None:
        super().__init__()
        self.size = size or type(self).size

    def example(self, batch: int, generator: Generator) -> Example:
        """Return inputs, always a tuple, and labels: images and a class of each."""
        return image_classes(generator, batch, (self.channels, self.size), self.classes)

    def loss(self, output: Any, labels: Any) -> Any:
        """Return the cross-entropy of scores with classes, one number an example."""
        return SoftmaxCrossEntropyLoss()(output, labels)

    def criterion(self) -> LossBlock:
        """Return the loss as a block of its own, which can be hybridized."""
        return LossBlock(self.loss)

    @staticmethod
    def tensor(array: Any) -> Any:
        """Return a NumPy array's values on the host; whole numbers as float32, MXNet's indices."""
        return nd.array(array, dtype=np.float32 if array.dtype.kind in "iu" else array.dtype)


class LossBlock(HybridBlock):
    """A model's loss of its output."""

    def __init__(self, function: Callable[[Any, Any], Any]) -> None:
        super().__init__()
        self.function = function

    def hybrid_forward(self, F: Any, output: Any, labels: Any) -> Any:  # noqa: ARG002, N803 - Gluon's
        """Return one number an example."""
        return self.function(output, labels)
