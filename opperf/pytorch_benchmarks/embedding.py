"""PyTorch's embeddings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import built, native
from opperf.operators.embedding import bag as embedding_bag
from opperf.operators.embedding import embedding

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def one_hot(
    zeros: Callable[..., Any], scatter: Callable[..., Any], indices: Any, *, depth: int, to: str
) -> Step:
    """Zeros -> scatter ones; torch's own one_hot makes int64 vectors, and reads the least index."""
    import torch

    shape, column = (*indices.shape, depth), indices.unsqueeze(-1)
    options = {"dtype": getattr(torch, to), "device": indices.device}

    def composition() -> Any:
        return scatter(zeros(shape, **options), -1, column, 1)

    return composition


TABLE = {
    embedding.Embedding: native("torch.nn.functional.embedding"),
    embedding.OneHot: built("torch.zeros + torch.Tensor.scatter_", one_hot),
    embedding_bag.EmbeddingBagSum: native("torch.nn.functional.embedding_bag", mode="sum"),
    embedding_bag.EmbeddingBagMean: native("torch.nn.functional.embedding_bag", mode="mean"),
    embedding_bag.EmbeddingBagMax: native("torch.nn.functional.embedding_bag", mode="max"),
}
