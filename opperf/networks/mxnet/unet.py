"""A U-Net: https://arxiv.org/abs/1505.04597, padded and batch-normalized, on half its channels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mxnet.gluon import nn
from mxnet.gluon.loss import SigmoidBinaryCrossEntropyLoss

from opperf.networks.examples import images, mask
from opperf.networks.mxnet.layers import sequence
from opperf.networks.mxnet.model import Model
from opperf.networks.registry import implements

if TYPE_CHECKING:
    from numpy.random import Generator

    from opperf.networks.examples import Example

WIDTHS = (32, 64, 128, 256, 512)


def double(inputs: int, outputs: int) -> nn.HybridSequential:
    """Return two 3x3 convolutions, each normalized and rectified."""
    layers: list[Any] = []
    for channels in (inputs, outputs):
        layers += [
            nn.Conv2D(outputs, 3, padding=1, use_bias=False, in_channels=channels),
            nn.BatchNorm(in_channels=outputs),
            nn.Activation("relu"),
        ]
    return sequence(*layers)


@implements("unet", title="U-Net", parameters=7_763_041)
class UNet(Model):
    """Four steps down, four up, each given what the step down at its size has found."""

    size, tiny, batch, classes = 256, 32, 1, 2

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        channels = (3, *WIDTHS[:-1])
        self.down = sequence(*map(double, channels, WIDTHS))
        wide, narrow = WIDTHS[:0:-1], WIDTHS[-2::-1]
        self.grow = sequence(
            *(
                nn.Conv2DTranspose(fewer, 2, 2, in_channels=more)
                for more, fewer in zip(wide, narrow, strict=True)
            )
        )
        self.up = sequence(*map(double, wide, narrow))
        self.output = nn.Conv2D(1, 1, in_channels=WIDTHS[0])

    def hybrid_forward(self, F: Any, data: Any) -> Any:  # noqa: N803 - Gluon's name
        """Return a score of each pixel."""
        kept: list[Any] = []
        for layer in self.down:
            halved = F.Pooling(data, kernel=(2, 2), stride=(2, 2), pool_type="max")
            data = layer(halved if kept else data)
            kept.append(data)
        for grow, layer, skipped in zip(self.grow, self.up, kept[-2::-1], strict=True):
            data = layer(F.concat(skipped, grow(data), dim=1))
        return self.output(data)

    def example(self, batch: int, generator: Generator) -> Example:
        """Return images, and a mask of each."""
        data = images(generator, batch, self.size)
        return (data,), mask(generator, (batch, 1, self.size, self.size))

    def loss(self, output: Any, labels: Any) -> Any:
        """Return the cross-entropy of the pixels, one number an example."""
        return SigmoidBinaryCrossEntropyLoss()(output, labels)
