"""PyTorch's embeddings."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def one_hot(
    zeros: Callable[..., Any], scatter: Callable[..., Any], indices: Any, *, depth: int, to: str
) -> Step:
    """Zeros -> scatter of ones; PyTorch's own makes int64 vectors, and reads the least index."""
    import torch

    shape, column = (*indices.shape, depth), indices.unsqueeze(-1)
    options = {"dtype": getattr(torch, to), "device": indices.device}

    def composition() -> Any:
        return scatter(zeros(shape, **options), -1, column, 1)

    return composition


def weighted_bag(call: Callable[..., Any], data: Any, weight: Any, scales: Any) -> Step:
    """embedding_bag of the sum, with a scale for each index."""
    return partial(call, data, weight, mode="sum", per_sample_weights=scales)
