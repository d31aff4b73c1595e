"""A recommendation model in the manner of DLRM: https://arxiv.org/abs/1906.00091."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import nn
from torch.nn import functional

from opperf.networks.examples import clicks
from opperf.networks.pytorch.model import Model
from opperf.networks.registry import implements

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.random import Generator

    from opperf.networks.examples import Example

DENSE, TABLES, ROWS, WIDTH = 13, 8, 100_000, 64
BOTTOM, TOP = (512, 256, WIDTH), (512, 256, 1)


def perceptron(inputs: int, widths: Sequence[int], *, last: nn.Module) -> nn.Sequential:
    """Return linear layers with rectifiers between them."""
    layers: list[nn.Module] = []
    for outputs in widths:
        layers += [nn.Linear(inputs, outputs), nn.ReLU()]
        inputs = outputs
    return nn.Sequential(*layers[:-1], last)


@implements("dlrm", title="DLRM", parameters=51_538_241)
class Dlrm(Model):
    """Dense features and sums of embeddings, multiplied pair by pair; `size` rows of a table."""

    size, tiny, batch, classes = 4, 1, 128, 2

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.bottom = perceptron(DENSE, BOTTOM, last=nn.ReLU())
        self.tables = nn.ModuleList(nn.EmbeddingBag(ROWS, WIDTH, mode="sum") for _ in range(TABLES))
        vectors = TABLES + 1
        self.top = perceptron(vectors * TABLES // 2 + WIDTH, TOP, last=nn.Identity())
        pairs = torch.tril_indices(vectors, vectors, -1)
        self.register_buffer("pairs", pairs[0] * vectors + pairs[1])

    def forward(self, dense: Any, sparse: Any) -> Any:
        """Return a score of each example."""
        features = self.bottom(dense)
        bags = [table(chosen) for table, chosen in zip(self.tables, sparse, strict=True)]
        vectors = torch.stack([features, *bags], dim=1)
        products = torch.bmm(vectors, vectors.transpose(1, 2)).flatten(1)
        pairs = torch.index_select(products, 1, self.pairs)
        return self.top(torch.cat([features, pairs], dim=1))

    def example(self, batch: int, generator: Generator) -> Example:
        """Return features, rows of the tables, and clicks."""
        return clicks(generator, batch, DENSE, (TABLES, ROWS, self.size))

    def loss(self, output: Any, labels: Any) -> Any:
        """Return the mean cross-entropy of the scores."""
        return functional.binary_cross_entropy_with_logits(output, labels)
