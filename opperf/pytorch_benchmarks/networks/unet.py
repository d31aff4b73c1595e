"""A U-Net: https://arxiv.org/abs/1505.04597, padded and batch-normalized, on half its channels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import nn
from torch.nn import functional

from opperf.pytorch_benchmarks.networks.examples import images

if TYPE_CHECKING:
    from opperf.pytorch_benchmarks.networks.examples import Example

WIDTHS = (32, 64, 128, 256, 512)
SIZE = 256


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


class UNet(nn.Module):
    """Four steps down, four up, each given what the step down at its size has found."""

    def __init__(self) -> None:
        super().__init__()
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


def unet(batch: int = 1) -> Example:
    """Return the U-Net on images of 256 x 256 pixels, with a mask as target."""
    target = (torch.rand(batch, 1, SIZE, SIZE) < 0.5).float()  # noqa: PLR2004 - half of them

    def loss(scores: Any) -> Any:
        return functional.binary_cross_entropy_with_logits(scores, target)

    return UNet(), (images(batch, SIZE),), loss
