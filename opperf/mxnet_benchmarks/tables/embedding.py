"""MXNet's callables for the operators of embedding, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built
from opperf.core.frameworks.limitation import BACKWARD, Limitation
from opperf.mxnet_benchmarks.binding.embedding import bags, lookup, one_hot, weighted_bag
from opperf.operators.embedding import bag, embedding

TABLE = {
    bag.EmbeddingBagSum: bags("sum"),
    bag.EmbeddingBagWeightedSum: built(
        "mxnet.nd.Embedding + mxnet.nd.expand_dims + mxnet.nd.broadcast_mul + mxnet.nd.sum",
        weighted_bag,
    ),
    bag.EmbeddingBagMean: bags("mean"),
    bag.EmbeddingBagMax: bags("max").limited(
        Limitation(
            directions=BACKWARD,
            words="gradient by weight is",
            note="its maximum hands the gradient to all that equal it, as to a row twice",
        ),
    ),
    embedding.Embedding: built("mxnet.nd.Embedding", lookup),
    embedding.OneHot: built("mxnet.nd.one_hot", one_hot),
}
