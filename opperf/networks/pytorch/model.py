"""The base of all networks in PyTorch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import nn
from torch.nn import functional

from opperf.networks.examples import image_classes

if TYPE_CHECKING:
    from numpy.random import Generator

    from opperf.networks.examples import Example


class Model(nn.Module):
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
        """Return the mean cross-entropy of scores with classes, of each position if there are."""
        if output.dim() > labels.dim() + 1 or labels.dim() > 1:
            output, labels = output.reshape(-1, output.shape[-1]), labels.reshape(-1)
        return functional.cross_entropy(output, labels)

    @staticmethod
    def tensor(array: Any) -> Any:
        """Return a NumPy array's values as a tensor on the host."""
        return torch.from_numpy(array)
