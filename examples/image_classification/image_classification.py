"""Train a small residual network in Gluon on synthetic images; logs like the driver's document."""

from __future__ import annotations

import sys
from typing import Any

from common import CLASSES, EpochLog, draw_images, parse_arguments

from opperf.mxnet_benchmarks.alias import import_mxnet

mx = import_mxnet()
autograd, gluon, nn = mx.autograd, mx.gluon, mx.gluon.nn

WIDTH = 8


class Residual(gluon.HybridBlock):
    """x + conv(relu(conv(x))), each convolution with its batch norm."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.body = nn.HybridSequential()
        self.body.add(nn.Conv2D(channels, 3, padding=1, use_bias=False), nn.BatchNorm())
        self.body.add(nn.Activation("relu"))
        self.body.add(nn.Conv2D(channels, 3, padding=1, use_bias=False), nn.BatchNorm())

    def hybrid_forward(self, functions: Any, data: Any) -> Any:
        """Return the block's output."""
        return functions.relu(data + self.body(data))


def make_network() -> Any:
    """Return two residual blocks behind a convolution with stride, and a dense layer."""
    network = nn.HybridSequential()
    network.add(nn.Conv2D(WIDTH, 3, strides=2, padding=1), Residual(WIDTH), nn.MaxPool2D())
    network.add(Residual(WIDTH), nn.GlobalAvgPool2D(), nn.Dense(CLASSES))
    return network


def main() -> None:
    """Train and validate."""
    arguments = parse_arguments(__doc__)
    if arguments.gpus > mx.context.num_gpus():
        sys.exit(f"--gpus {arguments.gpus}: this machine has {mx.context.num_gpus()}")
    place = mx.gpu(0) if arguments.gpus else mx.cpu()
    mx.random.seed(arguments.seed)
    images, labels = draw_images(arguments.batches * arguments.batch_size, arguments.seed)
    data, targets = mx.nd.array(images, ctx=place), mx.nd.array(labels, ctx=place)
    held_out, truth = draw_images(arguments.batch_size * 2, arguments.seed + 1)
    network = make_network()
    network.initialize(mx.init.Xavier(), ctx=place)
    if arguments.mode == "hybrid":
        network.hybridize()
    trainer = gluon.Trainer(network.collect_params(), "adam", {"learning_rate": 0.01})
    loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
    for epoch in range(arguments.epochs):
        log = EpochLog(epoch, arguments.log_interval)
        for batch in range(arguments.batches):
            rows = slice(batch * arguments.batch_size, (batch + 1) * arguments.batch_size)
            with autograd.record():
                outputs = network(data[rows])
                loss = loss_of(outputs, targets[rows])
            loss.backward()
            trainer.step(arguments.batch_size)
            right = (outputs.argmax(axis=1) == targets[rows]).sum().asscalar()
            log.add(batch, int(right), arguments.batch_size)
        found = network(mx.nd.array(held_out, ctx=place)).argmax(axis=1).asnumpy()
        log.end(float((found == truth).mean()))


if __name__ == "__main__":
    main()
