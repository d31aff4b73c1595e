"""PyTorch's callables for the operators of embedding, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built, native
from opperf.operators.embedding import bag, embedding
from opperf.pytorch_benchmarks.binding.embedding import one_hot, weighted_bag

TABLE = {
    bag.EmbeddingBagSum: native("torch.nn.functional.embedding_bag", mode="sum"),
    bag.EmbeddingBagWeightedSum: built("torch.nn.functional.embedding_bag", weighted_bag),
    bag.EmbeddingBagMean: native("torch.nn.functional.embedding_bag", mode="mean"),
    bag.EmbeddingBagMax: native("torch.nn.functional.embedding_bag", mode="max"),
    embedding.Embedding: native("torch.nn.functional.embedding"),
    embedding.OneHot: built("torch.zeros + torch.Tensor.scatter_", one_hot),
}
