"""Example inputs and losses that several networks share; all are drawn from one seed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch.nn import functional

if TYPE_CHECKING:
    from collections.abc import Callable

Example = tuple[Any, tuple[Any, ...], "Callable[[Any], Any]"]
"""A network, its inputs, and the loss of its output."""
IMAGE = 224
CLASSES = 1000


def images(batch: int, size: int = IMAGE, channels: int = 3) -> Any:
    """Return random images, channels first."""
    return torch.rand(batch, channels, size, size)


def tokens(batch: int, length: int, vocabulary: int) -> Any:
    """Return random sequences of tokens."""
    return torch.randint(vocabulary, (batch, length))


def classification(batch: int, classes: int = CLASSES) -> Callable[[Any], Any]:
    """Return the cross-entropy with random classes, one an example."""
    target = torch.randint(classes, (batch,))
    return lambda scores: functional.cross_entropy(scores, target)


def next_token(batch: int, length: int, vocabulary: int) -> Callable[[Any], Any]:
    """Return the cross-entropy of each position's scores with a random next token."""
    target = torch.randint(vocabulary, (batch * length,))
    return lambda scores: functional.cross_entropy(scores.reshape(-1, vocabulary), target)
