"""VGG-16: https://arxiv.org/abs/1409.1556, configuration D."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mxnet.gluon import nn

from opperf.mxnet_benchmarks.networks.examples import CLASSES, classification
from opperf.mxnet_benchmarks.networks.resnet import sequence

if TYPE_CHECKING:
    from opperf.mxnet_benchmarks.networks.examples import Example

STAGES = ((64, 2), (128, 2), (256, 3), (512, 3), (512, 3))
"""Channels and convolutions of each."""
LEFT, HIDDEN = 7, 4096
"""Height and width after the last stage, and the width of the classifier."""


def vgg16(batch: int = 4) -> Example:
    """Return VGG-16."""
    layers: list[Any] = []
    inputs = 3
    for outputs, depth in STAGES:
        for _ in range(depth):
            layers += [nn.Conv2D(outputs, 3, padding=1, in_channels=inputs), nn.Activation("relu")]
            inputs = outputs
        layers.append(nn.MaxPool2D(2))
    block = sequence(
        *layers,
        nn.Flatten(),
        nn.Dense(HIDDEN, in_units=inputs * LEFT * LEFT),
        nn.Activation("relu"),
        nn.Dropout(0.5),
        nn.Dense(HIDDEN, in_units=HIDDEN),
        nn.Activation("relu"),
        nn.Dropout(0.5),
        nn.Dense(CLASSES, in_units=HIDDEN),
    )
    return classification(block, batch)
