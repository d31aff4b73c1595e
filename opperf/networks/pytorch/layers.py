"""What several classifiers of images are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import nn
from torch.nn import functional

if TYPE_CHECKING:
    from collections.abc import Iterable

NEIGHBORS, ALPHA, BETA, BIAS = 5, 1e-4, 0.75, 2.0
"""Of AlexNet's normalization over channels: x / (bias + alpha * sum of squares) ** beta."""


class Parallel(nn.Module):
    """Branches of one input, joined along the channels."""

    def __init__(self, *branches: nn.Module) -> None:
        super().__init__()
        self.branches = nn.ModuleList(branches)

    def forward(self, data: Any) -> Any:
        """Return the outputs of the branches, one after another."""
        return torch.cat([branch(data) for branch in self.branches], dim=1)


class ResponseNorm(nn.Module):
    """AlexNet's normalization over channels, as one of pixels in a row: so half precision works."""

    def forward(self, data: Any) -> Any:
        """Return the normalized data."""
        # PyTorch divides alpha by the number of neighbors, the paper does not.
        rows = data.flatten(2)
        found = functional.local_response_norm(rows, NEIGHBORS, NEIGHBORS * ALPHA, BETA, BIAS)
        return found.view_as(data)


def convolution(
    inputs: int, outputs: int, kernel: int, stride: int = 1, padding: int = 0
) -> list[nn.Module]:
    """Return a convolution with a bias, and max(x, 0)."""
    return [nn.Conv2d(inputs, outputs, kernel, stride, padding), nn.ReLU(inplace=True)]


def perceptron(
    inputs: int, hidden: Iterable[int], classes: int, dropout: float = 0.0
) -> list[nn.Module]:
    """Return linear layers, all but the last with max(x, 0) and dropout after them."""
    layers: list[nn.Module] = []
    for outputs in hidden:
        layers += [nn.Linear(inputs, outputs), nn.ReLU(inplace=True)]
        if dropout:
            layers.append(nn.Dropout(dropout))
        inputs = outputs
    return [*layers, nn.Linear(inputs, classes)]


def side(layers: Iterable[nn.Module], size: int) -> int:
    """Return the height of what these layers make of images of this height."""
    for layer in layers:
        if isinstance(layer, nn.Conv2d):
            size = (size + 2 * int(layer.padding[0]) - layer.kernel_size[0]) // layer.stride[0] + 1
        elif isinstance(layer, nn.MaxPool2d):
            size = (size - layer.kernel_size) // layer.stride + 1
    return size
