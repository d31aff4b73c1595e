"""ResNet: https://arxiv.org/abs/1512.03385.

The stride of a bottleneck stands at its 3x3 convolution, as in torchvision's (often named v1.5).
Those of 200 and 269 layers are of the same blocks: dlbs, docs/models/models.md, gives their depths.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mxnet.gluon import HybridBlock, nn

from opperf.networks.mxnet.layers import rectified, sequence
from opperf.networks.mxnet.model import Model
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


def normalized(inputs: int, outputs: int, kernel: int, stride: int = 1) -> nn.HybridSequential:
    """Return a convolution without a bias, and its batch normalization."""
    return sequence(
        nn.Conv2D(outputs, kernel, stride, kernel // 2, use_bias=False, in_channels=inputs),
        nn.BatchNorm(in_channels=outputs),
    )


class Residual(HybridBlock):
    """relu(body(x) + shortcut(x))."""

    def __init__(self, body: Sequence[Any], inputs: int, outputs: int, stride: int) -> None:
        super().__init__()
        self.body = sequence(*rectified(body))
        same = stride == 1 and inputs == outputs
        self.shortcut = sequence() if same else normalized(inputs, outputs, 1, stride)

    def hybrid_forward(self, F: Any, data: Any) -> Any:  # noqa: N803 - Gluon's name
        """Return the block's output."""
        return F.relu(self.body(data) + self.shortcut(data))


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
            stages.append(sequence(*blocks))
        self.body = sequence(
            normalized(3, WIDTHS[0], 7, 2),
            nn.Activation("relu"),
            nn.MaxPool2D(3, 2, 1),
            *stages,
            nn.GlobalAvgPool2D(),
            nn.Flatten(),
            nn.Dense(self.classes, in_units=inputs),
        )

    def hybrid_forward(self, F: Any, data: Any) -> Any:  # noqa: ARG002, N803 - Gluon's name
        """Return the scores of each class."""
        return self.body(data)
