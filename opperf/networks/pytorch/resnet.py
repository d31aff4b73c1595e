"""ResNet: https://arxiv.org/abs/1512.03385.

The stride of a bottleneck stands at its 3x3 convolution, as in torchvision's (often named v1.5).
Of 200 and 269 layers they are made of the same blocks; dlbs' docs/models/models.md has them so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import nn

from opperf.networks.pytorch.model import Model
from opperf.networks.registry import implements

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTHS = (64, 128, 256, 512)
DEPTHS = {
    18: (2, 2, 2, 2), 34: (3, 4, 6, 3), 50: (3, 4, 6, 3), 101: (3, 4, 23, 3), 152: (3, 8, 36, 3),
    200: (3, 24, 36, 3), 269: (3, 30, 48, 8),
}  # fmt: skip
"""Channels of each stage's 3x3 convolutions, and its blocks by the layers of all."""
DEEP = 50
"""From how many layers on blocks are bottlenecks."""


def normalized(inputs: int, outputs: int, kernel: int, stride: int = 1) -> nn.Sequential:
    """Return a convolution without a bias, and its batch normalization."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, padding=kernel // 2, bias=False),
        nn.BatchNorm2d(outputs),
    )


class Residual(nn.Module):
    """relu(body(x) + shortcut(x))."""

    def __init__(self, body: Sequence[nn.Module], inputs: int, outputs: int, stride: int) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        for layer in body:
            layers += [layer, nn.ReLU(inplace=True)]
        self.body = nn.Sequential(*layers[:-1])
        same = stride == 1 and inputs == outputs
        self.shortcut = nn.Identity() if same else normalized(inputs, outputs, 1, stride)

    def forward(self, data: Any) -> Any:
        """Return the block's output."""
        return torch.relu_(self.body(data) + self.shortcut(data))


def basic(inputs: int, width: int, stride: int) -> Residual:
    """Return two 3x3 convolutions."""
    body = [normalized(inputs, width, 3, stride), normalized(width, width, 3)]
    return Residual(body, inputs, width, stride)


def bottleneck(inputs: int, width: int, stride: int) -> Residual:
    """Return a 3x3 convolution on a quarter of the channels, between two 1x1 ones."""
    outputs = 4 * width
    body = [
        normalized(inputs, width, 1),
        normalized(width, width, 3, stride),
        normalized(width, outputs, 1),
    ]
    return Residual(body, inputs, outputs, stride)


@implements("resnet18", title="ResNet-18", parameters=11_689_512, depth=18)
@implements("resnet34", title="ResNet-34", parameters=21_797_672, depth=34)
@implements("resnet50", title="ResNet-50", parameters=25_557_032, depth=50)
@implements("resnet101", title="ResNet-101", parameters=44_549_160, depth=101)
@implements("resnet152", title="ResNet-152", parameters=60_192_808, depth=152)
@implements("resnet200", title="ResNet-200", parameters=64_673_832, depth=200)
@implements("resnet269", title="ResNet-269", parameters=102_073_384, depth=269)
class ResNet(Model):
    """A stem, four stages of blocks, and a linear classifier."""

    def __init__(self, depth: int, **given: Any) -> None:
        super().__init__(**given)
        block, expansion = (bottleneck, 4) if depth >= DEEP else (basic, 1)
        stages, inputs = [], WIDTHS[0]
        for stage, (width, count) in enumerate(zip(WIDTHS, DEPTHS[depth], strict=True)):
            blocks = []
            for position in range(count):
                blocks.append(block(inputs, width, 2 if stage and not position else 1))
                inputs = expansion * width
            stages.append(nn.Sequential(*blocks))
        self.body = nn.Sequential(
            normalized(3, WIDTHS[0], 7, 2),
            nn.ReLU(inplace=True),
            nn.MaxPool2d(3, 2, padding=1),
            *stages,
            nn.AdaptiveAvgPool2d(1),
            nn.Flatten(),
            nn.Linear(inputs, self.classes),
        )

    def forward(self, data: Any) -> Any:
        """Return the scores of each class."""
        return self.body(data)
