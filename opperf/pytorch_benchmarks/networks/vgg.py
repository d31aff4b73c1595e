"""VGG-16: https://arxiv.org/abs/1409.1556, configuration D."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import nn

from opperf.pytorch_benchmarks.networks.examples import CLASSES, classification, images

if TYPE_CHECKING:
    from opperf.pytorch_benchmarks.networks.examples import Example

STAGES = ((64, 2), (128, 2), (256, 3), (512, 3), (512, 3))
"""Channels and convolutions of each."""
LEFT, HIDDEN = 7, 4096
"""Height and width after the last stage, and the width of the classifier."""


def vgg16(batch: int = 4) -> Example:
    """Return VGG-16."""
    layers: list[nn.Module] = []
    inputs = 3
    for outputs, depth in STAGES:
        for _ in range(depth):
            layers += [nn.Conv2d(inputs, outputs, 3, padding=1), nn.ReLU(inplace=True)]
            inputs = outputs
        layers.append(nn.MaxPool2d(2))
    network = nn.Sequential(
        *layers,
        nn.Flatten(),
        nn.Linear(inputs * LEFT * LEFT, HIDDEN),
        nn.ReLU(inplace=True),
        nn.Dropout(),
        nn.Linear(HIDDEN, HIDDEN),
        nn.ReLU(inplace=True),
        nn.Dropout(),
        nn.Linear(HIDDEN, CLASSES),
    )
    return network, (images(batch),), classification(batch)
