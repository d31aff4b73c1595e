"""AlexNet: https://papers.nips.cc/paper/4824; its form for one tower: https://arxiv.org/abs/1404.5997.

The first is the paper's on one device: its two towers are one, so that each convolution sees all
channels. The second has the channels and counts that Caffe's and torchvision's have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mxnet.gluon import nn

from opperf.networks.mxnet.layers import (
    ResponseNorm,
    convolution,
    features,
    perceptron,
    sequence,
)
from opperf.networks.mxnet.model import Model
from opperf.networks.registry import implements

if TYPE_CHECKING:
    from collections.abc import Sequence

CHANNELS = 96, 256, 384, 384, 256
HIDDEN, DROPOUT = (4096, 4096), 0.5


@implements("alexnet", title="AlexNet", parameters=62_378_344)
@implements(
    "alexnet_owt", title="AlexNet, one weird trick", parameters=61_100_840,
    channels=(64, 192, 384, 256, 256), normalized=False,
)  # fmt: skip
class AlexNet(Model):
    """Five convolutions, two of them normalized over channels, and three linear layers."""

    size, tiny = 227, 67

    def __init__(
        self, channels: Sequence[int] = CHANNELS, *, normalized: bool = True, **given: Any
    ) -> None:
        super().__init__(**given)
        first, second, third, fourth, fifth = channels
        norm = ResponseNorm if normalized else sequence
        layers = [
            *convolution(3, first, 11, 4), norm(), nn.MaxPool2D(3, 2),
            *convolution(first, second, 5, padding=2), norm(), nn.MaxPool2D(3, 2),
            *convolution(second, third, 3, padding=1),
            *convolution(third, fourth, 3, padding=1),
            *convolution(fourth, fifth, 3, padding=1), nn.MaxPool2D(3, 2),
        ]  # fmt: skip
        self.layers = sequence(
            *layers,
            nn.Flatten(),
            *perceptron(features(layers, 3, self.size, self.size), HIDDEN, self.classes, DROPOUT),
        )

    def hybrid_forward(self, F: Any, data: Any) -> Any:  # noqa: ARG002, N803 - Gluon's
        """Return the scores of each class."""
        return self.layers(data)
