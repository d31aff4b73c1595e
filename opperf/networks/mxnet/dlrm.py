"""A recommendation model in the manner of DLRM: https://arxiv.org/abs/1906.00091."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from mxnet import nd
from mxnet.gluon import nn
from mxnet.gluon.loss import SigmoidBinaryCrossEntropyLoss

from opperf.networks.examples import clicks
from opperf.networks.mxnet.layers import rectified, sequence
from opperf.networks.mxnet.model import Model
from opperf.networks.registry import implements

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.random import Generator

    from opperf.networks.examples import Example

DENSE, TABLES, ROWS, WIDTH = 13, 8, 100_000, 64
BOTTOM, TOP = (512, 256, WIDTH), (512, 256, 1)
VECTORS = TABLES + 1


def perceptron(inputs: int, widths: Sequence[int]) -> list[Any]:
    """Return linear layers with rectifiers between them."""
    sizes = zip((inputs, *widths), widths, strict=False)
    return [*rectified([nn.Dense(outputs, in_units=each) for each, outputs in sizes])]


@implements("dlrm", title="DLRM", parameters=51_538_241)
class Dlrm(Model):
    """Dense features and sums of embeddings, multiplied pair by pair; `size` rows of a table."""

    size, tiny, batch, classes = 4, 1, 128, 2

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.bottom = sequence(*perceptron(DENSE, BOTTOM), nn.Activation("relu"))
        self.tables = sequence(*(nn.Embedding(ROWS, WIDTH) for _ in range(TABLES)))
        self.top = sequence(*perceptron(VECTORS * TABLES // 2 + WIDTH, TOP))
        rows, columns = np.tril_indices(VECTORS, -1)
        self.pairs = self.params.get_constant("pairs", nd.array(rows * VECTORS + columns))

    def hybrid_forward(self, F: Any, dense: Any, sparse: Any, pairs: Any) -> Any:  # noqa: N803 - Gluon's
        """Return a score of each example."""
        features = self.bottom(dense)
        chosen = F.split(sparse, num_outputs=TABLES, axis=0, squeeze_axis=True)
        tables = zip(self.tables, chosen, strict=True)
        bags = [F.sum(table(each), axis=1) for table, each in tables]
        vectors = F.stack(features, *bags, axis=1)
        products = F.flatten(F.batch_dot(vectors, vectors, transpose_b=True))
        return self.top(F.concat(features, F.take(products, pairs, axis=1), dim=1))

    def example(self, batch: int, generator: Generator) -> Example:
        """Return features, rows of the tables, and clicks."""
        return clicks(generator, batch, DENSE, (TABLES, ROWS, self.size))

    def loss(self, output: Any, labels: Any) -> Any:
        """Return the cross-entropy of the scores, one number an example."""
        return SigmoidBinaryCrossEntropyLoss()(output, labels)
