"""AlexNet: https://papers.nips.cc/paper/4824; and its form for one tower: https://arxiv.org/abs/1404.5997.

The first is the paper's on one device: its two towers are one, so that each convolution sees all
channels. The second has the channels and counts that Caffe's and torchvision's have.
"""

from __future__ import annotations

from typing import Any

from torch import nn

from opperf.networks.pytorch.layers import LocalResponseNorm, convolution, perceptron, side
from opperf.networks.pytorch.model import Model
from opperf.networks.registry import implements

HIDDEN, DROPOUT = (4096, 4096), 0.5


@implements("alexnet")
class AlexNet(Model):
    """Five convolutions, two of them normalized over channels, and three linear layers."""

    title = "AlexNet"
    parameter_count = 62_378_344
    size, tiny = 227, 67
    channels = 96, 256, 384, 384, 256
    normalized = True

    def __init__(self, *, size: int = size) -> None:
        super().__init__()
        first, second, third, fourth, fifth = self.channels
        layers = [
            *self.pooled(3, first, 11, 4, 0),
            *self.pooled(first, second, 5, 1, 2),
            *convolution(second, third, 3, padding=1),
            *convolution(third, fourth, 3, padding=1),
            *convolution(fourth, fifth, 3, padding=1),
            nn.MaxPool2d(3, 2),
        ]
        self.layers = nn.Sequential(
            *layers,
            nn.Flatten(),
            *perceptron(fifth * side(layers, size) ** 2, HIDDEN, self.classes, DROPOUT),
        )

    def pooled(
        self, inputs: int, outputs: int, kernel: int, stride: int, padding: int
    ) -> list[nn.Module]:
        """Return a convolution, its normalization, and overlapping maxima."""
        layers = convolution(inputs, outputs, kernel, stride, padding)
        if self.normalized:
            layers.append(LocalResponseNorm())
        return [*layers, nn.MaxPool2d(3, 2)]

    def forward(self, data: Any) -> Any:
        """Return the scores of each class."""
        return self.layers(data)


@implements("alexnet_owt")
class AlexNetOwt(AlexNet):
    """AlexNet with fewer channels and without normalization, of "one weird trick"."""

    title = "AlexNetOWT"
    parameter_count = 61_100_840
    channels = 64, 192, 384, 256, 256
    normalized = False
