"""Small Gluon blocks whose calls are known one by one."""

from __future__ import annotations

from typing import Any

import mxnet
from mxnet import gluon, nd


class Toy(gluon.HybridBlock):
    """An embedding, two linear layers with a rectifier between them, and a mean."""

    def __init__(self) -> None:
        super().__init__()
        self.words = gluon.nn.Embedding(10, 4)
        self.body = gluon.nn.HybridSequential()
        self.body.add(
            gluon.nn.Dense(3, flatten=False), gluon.nn.Activation("relu"),
            gluon.nn.Dense(2, flatten=False),
        )  # fmt: skip

    def hybrid_forward(self, F: Any, words: Any) -> Any:  # noqa: N803 - Gluon's name
        """Return two scores of each sequence."""
        return F.mean(self.body(self.words(words)), axis=1)


def initialized(block: Any) -> Any:
    """Return the block with random parameters."""
    block.initialize()
    return block


def toy(batch: int = 5) -> Any:
    """Return the network, its inputs, its loss, and the target of that."""
    words = nd.random.randint(0, 10, (batch, 6)).astype("float32")
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    return initialized(Toy()), words, loss, nd.zeros(batch)


def without_loss() -> Any:
    """Return a network whose outputs have a gradient of ones."""
    return initialized(gluon.nn.Dense(2)), nd.ones((3, 4))


class Reused(gluon.HybridBlock):
    """One layer twice, what it returns added to itself, apart and together again."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = gluon.nn.Dense(4, in_units=4)
        self.normalized = gluon.nn.BatchNorm(in_channels=4)

    def hybrid_forward(self, F: Any, data: Any) -> Any:  # noqa: N803 - Gluon's name
        """Return two outputs."""
        found = self.layer(self.layer(data))
        halves = F.split(self.normalized(found + F.sqrt(F.relu(found) + 1)), num_outputs=2)
        turned = F.SwapAxis(F.reshape(found, shape=(-1, 2, 2)), dim1=1, dim2=2)
        return F.concat(halves[1], halves[0], dim=1) * found, F.squeeze(F.expand_dims(turned, 1))


def reused() -> Any:
    """Return a network in which gradients are summed up."""
    return initialized(Reused()), nd.ones((3, 4))


class Many(gluon.HybridBlock):
    """A layer whose output is used ten times, and the sums of its rows likewise."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = gluon.nn.Dense(4, in_units=4)

    def hybrid_forward(self, F: Any, data: Any) -> Any:  # noqa: N803 - Gluon's name
        """Return two sums."""
        found = self.layer(data)
        rows = F.sum(found, axis=1)
        return [
            sum((F.sin(each * factor) for factor in range(1, 10)), F.sin(each))
            for each in (found, rows)
        ]


def many() -> Any:
    """Return a network with more gradients of one array than MXNet adds at once."""
    return initialized(Many()), nd.ones((3, 4))


class Loop(gluon.HybridBlock):
    """A sum over the rows, as a loop."""

    def hybrid_forward(self, F: Any, data: Any) -> Any:  # noqa: N803 - Gluon's name
        """Return the sums."""
        return F.contrib.foreach(lambda row, state: (row, row + state), data, F.zeros(4))[1]


def loop() -> Any:
    """Return a block with a graph in its graph."""
    return Loop(), nd.ones((3, 4))


def target_alone() -> Any:
    """Return a loss that holds its target itself, as a function."""
    loss, target = gluon.loss.L2Loss(), nd.ones((3, 2))
    return initialized(gluon.nn.Dense(2)), nd.ones((3, 4)), lambda scores: loss(scores, target)


class Looking(gluon.HybridBlock):
    """A block that looks at the shape of its input."""

    def hybrid_forward(self, F: Any, data: Any) -> Any:  # noqa: N803 - Gluon's name
        """Return as many zeros as there are rows."""
        return F.zeros(data.shape[0])


def looking() -> Any:
    """Return a block that cannot be hybridized for what it does."""
    return Looking(), nd.ones((3, 4))


class Plain(gluon.Block):
    """A block that is not meant to be hybridized."""

    def forward(self, data: Any) -> Any:
        """Return it as it is."""
        return data


def plain() -> Any:
    """Return a block that cannot be hybridized."""
    return Plain(), nd.ones((3, 4))


def unprepared() -> Any:
    """Return a network whose parameters have no values."""
    return gluon.nn.Dense(2), nd.ones((3, 4))


def foreign() -> Any:
    """Return inputs that are no arrays of MXNet's."""
    return initialized(gluon.nn.Dense(2)), [[1.0, 2.0]]


def misfits() -> Any:
    """Return inputs that the network does not take."""
    return initialized(gluon.nn.Dense(2, in_units=4)), nd.ones((3, 5))


def nothing() -> Any:
    """Return no network."""
    return 3


def raises() -> Any:
    """Raise an error of two lines."""
    raise ValueError("no weights\nof this name")


def dies() -> Any:
    """End the process."""
    import os

    os._exit(7)


def hangs() -> Any:
    """Wait for what does not come."""
    import threading

    threading.Event().wait()


def alters() -> Any:
    """Change what all that follows would feel."""
    mxnet.npx.set_np()
    return without_loss()
