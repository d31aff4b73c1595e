"""OverFeat, the fast one, with dropout after its hidden linear layers: https://arxiv.org/abs/1312.6229."""

from __future__ import annotations

from typing import Any

from mxnet.gluon import nn

from opperf.networks.mxnet.layers import convolution, features, perceptron, sequence
from opperf.networks.mxnet.model import Model
from opperf.networks.registry import implements

HIDDEN, DROPOUT = (3072, 4096), 0.5


@implements("overfeat", title="OverFeat", parameters=145_920_872)
class Overfeat(Model):
    """Five convolutions without normalization, and three linear layers."""

    size, tiny = 231, 71

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        layers = [
            *convolution(3, 96, 11, 4),
            nn.MaxPool2D(2),
            *convolution(96, 256, 5),
            nn.MaxPool2D(2),
            *convolution(256, 512, 3, padding=1),
            *convolution(512, 1024, 3, padding=1),
            *convolution(1024, 1024, 3, padding=1),
            nn.MaxPool2D(2),
        ]
        self.layers = sequence(
            *layers,
            nn.Flatten(),
            *perceptron(features(layers, 3, self.size, self.size), HIDDEN, self.classes, DROPOUT),
        )

    def hybrid_forward(self, F: Any, data: Any) -> Any:  # noqa: ARG002, N803 - Gluon's
        """Return the scores of each class."""
        return self.layers(data)
