"""PyTorch's embeddings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import built, native
from opperf.operators import embedding, embedding_bag

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def one_hot(
    call: Callable[..., Any], convert: Callable[..., Any], indices: Any, *, depth: int, to: str
) -> Step:
    """Compose with a conversion: torch's vectors are int64, of no use to a loss."""
    import torch

    kind = getattr(torch, to)

    def composition() -> Any:
        return convert(call(indices, depth), kind)

    return composition


TABLE = {
    embedding.Embedding: native("torch.nn.functional.embedding"),
    embedding.OneHot: built("torch.nn.functional.one_hot + torch.Tensor.to", one_hot),
    embedding_bag.EmbeddingBagSum: native("torch.nn.functional.embedding_bag", mode="sum"),
    embedding_bag.EmbeddingBagMean: native("torch.nn.functional.embedding_bag", mode="mean"),
    embedding_bag.EmbeddingBagMax: native("torch.nn.functional.embedding_bag", mode="max"),
}
