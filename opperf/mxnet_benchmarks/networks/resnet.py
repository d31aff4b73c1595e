"""ResNet-18 and ResNet-50: https://arxiv.org/abs/1512.03385.

The stride of a bottleneck stands at its 3x3 convolution, as in torchvision's (often named v1.5).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mxnet.gluon import HybridBlock, nn

from opperf.mxnet_benchmarks.networks.examples import CLASSES, classification

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opperf.mxnet_benchmarks.networks.examples import Example

WIDTHS = (64, 128, 256, 512)


def sequence(*layers: Any) -> nn.HybridSequential:
    """Return the layers one after the other; without any, what returns its input."""
    found = nn.HybridSequential()
    found.add(*layers)
    return found


def normalized(inputs: int, outputs: int, kernel: int, stride: int = 1) -> nn.HybridSequential:
    """Return a convolution without a bias, and its batch normalization."""
    return sequence(
        nn.Conv2D(outputs, kernel, stride, kernel // 2, use_bias=False, in_channels=inputs),
        nn.BatchNorm(in_channels=outputs),
    )


def rectified(layers: Sequence[Any]) -> Iterator[Any]:
    """Yield the layers with rectifiers between them."""
    for position, layer in enumerate(layers):
        if position:
            yield nn.Activation("relu")
        yield layer


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


def resnet(block: Any, expansion: int, depths: Sequence[int]) -> nn.HybridSequential:
    """Return a stem, four stages of blocks, and a linear classifier."""
    stages, inputs = [], WIDTHS[0]
    for stage, (width, depth) in enumerate(zip(WIDTHS, depths, strict=True)):
        blocks = []
        for position in range(depth):
            blocks.append(block(inputs, width, 2 if stage and not position else 1))
            inputs = expansion * width
        stages.append(sequence(*blocks))
    return sequence(
        normalized(3, WIDTHS[0], 7, 2),
        nn.Activation("relu"),
        nn.MaxPool2D(3, 2, 1),
        *stages,
        nn.GlobalAvgPool2D(),
        nn.Flatten(),
        nn.Dense(CLASSES, in_units=inputs),
    )


def resnet18(batch: int = 8) -> Example:
    """Return ResNet-18."""
    return classification(resnet(basic, 1, (2, 2, 2, 2)), batch)


def resnet50(batch: int = 8) -> Example:
    """Return ResNet-50."""
    return classification(resnet(bottleneck, 4, (3, 4, 6, 3)), batch)
