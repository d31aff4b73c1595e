"""Models of PyTorch: right ones, and ones with a fault."""

from __future__ import annotations

import os
import time
from typing import Any

import torch
from torch import nn


class Sum(nn.Module):
    """data * weight + other, and how it was called."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.full((3,), 2.0))
        self.seen: list[tuple[bool, bool]] = []

    def forward(self, data: Any, other: Any) -> Any:
        """Take down the mode, and compute."""
        self.seen.append((self.training, torch.is_grad_enabled()))
        return data * self.weight + other


def add() -> Any:
    """Return the sum."""
    return Sum()


def perceptron() -> Any:
    """Return two layers with dropout between, which infer the same each time."""
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(0.5), nn.Linear(16, 4))


class Faulty(nn.Module):
    """Goes wrong in a way."""

    def __init__(self, way: str) -> None:
        super().__init__()
        self.way, self.calls = way, 0

    def forward(self, data: Any) -> Any:
        """Go wrong, or return twice the data."""
        self.calls += 1
        if self.way == "dies":
            print("last words", flush=True)  # noqa: T201 - a child's output is kept
            os._exit(9)
        if self.way == "hangs":
            time.sleep(600)
        if self.way == "takes all memory":
            return torch.empty(2**50)
        if self.way == "later" and self.calls > 5:
            return data * 3
        return data * (float("nan") if self.way == "nan" else 2)


def dying() -> Any:
    """Return a model that ends its process."""
    return Faulty("dies")


def hanging() -> Any:
    """Return a model that does not come back."""
    return Faulty("hangs")


def greedy() -> Any:
    """Return a model that needs more memory than there is."""
    return Faulty("takes all memory")


def nothing() -> Any:
    """Return a model whose outputs are no numbers."""
    return Faulty("nan")


def changing() -> Any:
    """Return a model that computes something else after a while."""
    return Faulty("later")


def raising() -> Any:
    """Raise."""
    raise RuntimeError("no such weights")
