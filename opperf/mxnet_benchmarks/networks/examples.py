"""Example inputs and losses that several networks share; all are drawn from one seed."""

from __future__ import annotations

from typing import Any

from mxnet import nd
from mxnet.gluon.loss import SoftmaxCrossEntropyLoss

Example = tuple[Any, tuple[Any, ...], Any, Any]
"""A block, its inputs, its loss, and the target that the loss compares the output with."""
IMAGE = 224
CLASSES = 1000


def images(batch: int, size: int = IMAGE, channels: int = 3) -> Any:
    """Return random images, channels first."""
    return nd.random.uniform(shape=(batch, channels, size, size))


def below(limit: int, *shape: int) -> Any:
    """Return random whole numbers, as float32, which MXNet takes for indices."""
    return nd.random.randint(0, limit, shape).astype("float32")


def classification(block: Any, batch: int) -> Example:
    """Return a classifier of images with random classes."""
    return block, (images(batch),), SoftmaxCrossEntropyLoss(), below(CLASSES, batch)


def next_token(block: Any, batch: int, length: int, vocabulary: int) -> Example:
    """Return a language model with random tokens and next ones."""
    words, target = (below(vocabulary, batch, length) for _ in range(2))
    return block, (words,), SoftmaxCrossEntropyLoss(), target
