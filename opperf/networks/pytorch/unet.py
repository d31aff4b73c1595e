"""A U-Net: https://arxiv.org/abs/1505.04597, padded and batch-normalized, on half its channels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import nn
from torch.nn import functional

from opperf.networks.examples import images, mask
from opperf.networks.pytorch.model import Model
from opperf.networks.registry import implements

if TYPE_CHECKING:
    from numpy.random import Generator

    from opperf.networks.examples import Example

WIDTHS = (32, 64, 128, 256, 512)


def double(inputs: int, outputs: int) -> nn.Sequential:
    """Return two 3x3 convolutions, each normalized and rectified."""
    layers: list[nn.Module] = []
    for channels in (inputs, outputs):
        layers += [
            nn.Conv2d(channels, outputs, 3, padding=1, bias=False),
            nn.BatchNorm2d(outputs),
            nn.ReLU(inplace=True),
        ]
    return nn.Sequential(*layers)


@implements("unet", title="U-Net", parameters=7_763_041)
class UNet(Model):
    """Four steps down, four up, each given what the step down at its size has found."""

    size, tiny, batch, classes = 256, 32, 1, 2

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        channels = (3, *WIDTHS[:-1])
        self.down = nn.ModuleList(map(double, channels, WIDTHS))
        wide, narrow = WIDTHS[:0:-1], WIDTHS[-2::-1]
        self.grow = nn.ModuleList(
            nn.ConvTranspose2d(more, fewer, 2, 2) for more, fewer in zip(wide, narrow, strict=True)
        )
        self.up = nn.ModuleList(map(double, wide, narrow))
        self.output = nn.Conv2d(WIDTHS[0], 1, 1)

    def forward(self, data: Any) -> Any:
        """Return a score of each pixel."""
        kept: list[Any] = []
        for layer in self.down:
            data = layer(functional.max_pool2d(data, 2) if kept else data)
            kept.append(data)
        for grow, layer, skipped in zip(self.grow, self.up, kept[-2::-1], strict=True):
            data = layer(torch.cat([skipped, grow(data)], dim=1))
        return self.output(data)

    def example(self, batch: int, generator: Generator) -> Example:
        """Return images, and a mask of each."""
        data = images(generator, batch, self.size)
        return (data,), mask(generator, (batch, 1, self.size, self.size))

    def loss(self, output: Any, labels: Any) -> Any:
        """Return the mean cross-entropy of the pixels."""
        return functional.binary_cross_entropy_with_logits(output, labels)
