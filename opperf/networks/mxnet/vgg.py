"""VGG: https://arxiv.org/abs/1409.1556."""

from __future__ import annotations

from typing import Any

from mxnet.gluon import nn

from opperf.networks.mxnet.layers import convolution, features, perceptron, sequence
from opperf.networks.mxnet.model import Model
from opperf.networks.registry import implements

WIDTHS = (64, 128, 256, 512, 512)
DEPTHS = {11: (1, 1, 2, 2, 2), 13: (2, 2, 2, 2, 2), 16: (2, 2, 3, 3, 3), 19: (2, 2, 4, 4, 4)}
"""Channels of each stage, and its convolutions by the layers of all."""
HIDDEN, DROPOUT = (4096, 4096), 0.5


@implements("vgg11", title="VGG-11", parameters=132_863_336, depth=11)
@implements("vgg13", title="VGG-13", parameters=133_047_848, depth=13)
@implements("vgg16", title="VGG-16", parameters=138_357_544, depth=16)
@implements("vgg19", title="VGG-19", parameters=143_667_240, depth=19)
class Vgg(Model):
    """Stages of 3x3 convolutions, each followed by a pooling, and three fully connected layers."""

    batch = 4

    def __init__(self, depth: int, **given: Any) -> None:
        super().__init__(**given)
        layers: list[Any] = []
        inputs = 3
        for outputs, count in zip(WIDTHS, DEPTHS[depth], strict=True):
            for _ in range(count):
                layers += convolution(inputs, outputs, 3, padding=1)
                inputs = outputs
            layers.append(nn.MaxPool2D(2))
        self.body = sequence(
            *layers,
            nn.Flatten(),
            *perceptron(features(layers, 3, self.size, self.size), HIDDEN, self.classes, DROPOUT),
        )

    def hybrid_forward(self, F: Any, data: Any) -> Any:  # noqa: ARG002, N803 - Gluon's name
        """Return the scores of each class."""
        return self.body(data)
