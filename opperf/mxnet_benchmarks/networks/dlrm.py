"""A recommendation model in the manner of DLRM: https://arxiv.org/abs/1906.00091."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from mxnet import nd
from mxnet.gluon import HybridBlock, nn
from mxnet.gluon.loss import SigmoidBinaryCrossEntropyLoss

from opperf.mxnet_benchmarks.networks.examples import below
from opperf.mxnet_benchmarks.networks.resnet import rectified, sequence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.mxnet_benchmarks.networks.examples import Example

DENSE, TABLES, ROWS, WIDTH, LOOKUPS = 13, 8, 100_000, 64, 4
BOTTOM, TOP = (512, 256, WIDTH), (512, 256, 1)
VECTORS = TABLES + 1


def perceptron(inputs: int, widths: Sequence[int]) -> list[Any]:
    """Return linear layers with rectifiers between them."""
    sizes = zip((inputs, *widths), widths, strict=False)
    return [*rectified([nn.Dense(outputs, in_units=each) for each, outputs in sizes])]


class Dlrm(HybridBlock):
    """Dense features and sums of embeddings, multiplied pair by pair."""

    def __init__(self) -> None:
        super().__init__()
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


def dlrm(batch: int = 128) -> Example:
    """Return the model, with clicks as target."""
    inputs = nd.random.uniform(shape=(batch, DENSE)), below(ROWS, TABLES, batch, LOOKUPS)
    return Dlrm(), inputs, SigmoidBinaryCrossEntropyLoss(), below(2, batch, 1)
