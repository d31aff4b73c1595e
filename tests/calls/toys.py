"""Small networks whose calls are known one by one."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn


class Toy(nn.Module):
    """An embedding, two linear layers with a rectifier between them, and a mean."""

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(10, 4)
        self.body = nn.Sequential(nn.Linear(4, 3), nn.ReLU(), nn.Linear(3, 2))

    def forward(self, words: Any) -> Any:
        """Return two scores of each sequence."""
        return self.body(self.words(words)).mean(1)


def toy(batch: int = 5) -> Any:
    """Return the network, its inputs and its loss."""
    target = torch.zeros(batch, dtype=torch.long)
    inputs = torch.randint(10, (batch, 6))
    return Toy(), inputs, lambda scores: nn.functional.cross_entropy(scores, target)


def without_loss() -> Any:
    """Return a network whose outputs have a gradient of ones."""
    return nn.Linear(4, 2), torch.rand(3, 4)


def compiled() -> Any:
    """Return a network that torch.compile has wrapped."""
    return torch.compile(nn.Sequential(nn.Linear(4, 2))), torch.rand(3, 4)


def raises() -> Any:
    """Raise an error of two lines."""
    raise ValueError("no weights\nof this name")


def exits() -> Any:
    """Leave."""
    raise SystemExit(3)


def dies() -> Any:
    """End the process."""
    import os

    os._exit(7)


def hangs() -> Any:
    """Wait for what does not come."""
    import threading

    threading.Event().wait()


def nothing() -> Any:
    """Return no network."""
    return 3


def alters() -> Any:
    """Change what all that follows would feel."""
    torch.set_default_dtype(torch.float64)
    return without_loss()


def misfits() -> Any:
    """Return inputs that the network does not take."""
    return nn.Linear(4, 2), torch.rand(3, 5)


def detached() -> Any:
    """Return a loss without a gradient."""
    return nn.Linear(4, 2), torch.rand(3, 4), lambda outputs: outputs.detach().sum()


def fixed(batch: int = 5) -> Any:
    """Return a network that is made for one batch."""
    if batch != 5:
        raise ValueError("made for five")
    return without_loss()


def deaf(batch: int = 5) -> Any:
    """Return a network of the same batch whatever is asked for."""
    del batch
    return without_loss()


class Uneven(nn.Module):
    """A layer whose weight has as many rows as a batch has ordered pairs."""

    def __init__(self, batch: int) -> None:
        super().__init__()
        self.pairs = nn.Parameter(torch.rand(batch * batch, batch))

    def forward(self, data: Any) -> Any:
        """Return what the pairs make of the rectified examples."""
        return self.pairs @ data.relu()


def uneven(batch: int = 8) -> Any:
    """Return a network with a size that is the square of its batch."""
    return Uneven(batch), torch.rand(batch, 4)


number = 3
