"""AlexNet: https://papers.nips.cc/paper/4824; its form for one tower: https://arxiv.org/abs/1404.5997.

The first is the paper's on one device: its two towers are one, so that each convolution sees all
channels. The second has the channels and counts that Caffe's and torchvision's have.
"""

from __future__ import annotations

from typing import Any

from mxnet.gluon import nn

from opperf.networks.mxnet.layers import (
    LocalResponseNorm,
    convolution,
    features,
    perceptron,
    sequence,
)
from opperf.networks.mxnet.model import Model
from opperf.networks.registry import implements

HIDDEN, DROPOUT = (4096, 4096), 0.5


@implements("alexnet", title="AlexNet", parameters=62_378_344)
class AlexNet(Model):
    """Five convolutions, two of them normalized over channels, and three linear layers."""

    size, tiny = 227, 67
    channels = 96, 256, 384, 384, 256
    normalized = True

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        first, second, third, fourth, fifth = self.channels
        layers = [
            *self.pooled(3, first, 11, 4, 0),
            *self.pooled(first, second, 5, 1, 2),
            *convolution(second, third, 3, padding=1),
            *convolution(third, fourth, 3, padding=1),
            *convolution(fourth, fifth, 3, padding=1),
            nn.MaxPool2D(3, 2),
        ]
        self.layers = sequence(
            *layers,
            nn.Flatten(),
            *perceptron(features(layers, 3, self.size, self.size), HIDDEN, self.classes, DROPOUT),
        )

    def pooled(
        self, inputs: int, outputs: int, kernel: int, stride: int, padding: int
    ) -> list[Any]:
        """Return a convolution, its normalization, and overlapping maxima."""
        normalization = [LocalResponseNorm()] if self.normalized else []
        return [
            *convolution(inputs, outputs, kernel, stride, padding),
            *normalization,
            nn.MaxPool2D(3, 2),
        ]

    def hybrid_forward(self, F: Any, data: Any) -> Any:  # noqa: ARG002, N803 - Gluon's
        """Return the scores of each class."""
        return self.layers(data)


@implements("alexnet_owt", title="AlexNetOWT", parameters=61_100_840)
class AlexNetOwt(AlexNet):
    """AlexNet with fewer channels and without normalization, of "one weird trick"."""

    channels = 64, 192, 384, 256, 256
    normalized = False
