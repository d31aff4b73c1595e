"""PyTorch's attention."""

from __future__ import annotations

from functools import partial
from math import sqrt
from typing import TYPE_CHECKING, Any

from opperf.pytorch_benchmarks.binding.gemm import nothing_for

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


ATTENTION = "torch.nn.functional.scaled_dot_product_attention"


def parts(
    multiply: Callable[..., Any], scale: Callable[..., Any], softmax: Callable[..., Any],
    query: Any, key: Any, value: Any,
) -> Step:  # fmt: skip
    """softmax(query @ key^T / scale) @ value in parts; batch and heads are one axis, by views."""
    factor, shape = 1 / sqrt(query.shape[-1]), (*query.shape[:3], value.shape[-1])

    def composition() -> Any:
        scores = scale(multiply(query.flatten(0, 1), key.flatten(0, 1).mT), factor)
        return multiply(softmax(scores, -1), value.flatten(0, 1)).view(shape)

    return composition


def scores(call: Callable[..., Any], *tensors: Any, heads: int) -> Step:
    """Return query @ key^T, scaled, by views; PyTorch has no call for interleaved projections."""
    keys_in = len(tensors) == 1
    parts = 3 if keys_in else 2
    factor = 1 / sqrt(tensors[-1].shape[-1] / heads / parts)
    nothing = nothing_for(tensors[-1])

    def composition() -> Any:
        split = tensors[-1].unflatten(-1, (heads, parts, -1)).flatten(1, 2).transpose(0, 1)
        if keys_in:
            query = split[:, :, 0]
        else:
            query = tensors[0].unflatten(-1, (heads, -1)).flatten(1, 2).transpose(0, 1)
        return call(nothing, query, split[:, :, parts - 2].mT, beta=0, alpha=factor)

    return composition


def values(
    call: Callable[..., Any], projections: Any, shares: Any, *, heads: int, parts: int
) -> Step:
    """Return scores @ value by views, then a copy that puts the heads side by side."""
    _length, batch, _ = projections.shape

    def composition() -> Any:
        split = projections.unflatten(-1, (heads, parts, -1)).flatten(1, 2).transpose(0, 1)
        found = call(shares, split[:, :, parts - 1])
        return found.transpose(0, 1).reshape(shares.shape[1], batch, -1)

    return composition


def div_sqrt_dim(call: Callable[..., Any], data: Any) -> Step:
    """Return data / sqrt(dim)."""
    return partial(call, data, sqrt(data.shape[-1]))


def multi_head(  # noqa: PLR0913 - five tensors by definition
    call: Callable[..., Any], data: Any, in_weight: Any, in_bias: Any, out_weight: Any,
    out_bias: Any, *, heads: int,
) -> Step:  # fmt: skip
    """Multi-head attention without dropout, masks and averaged weights."""
    weights = (in_weight, in_bias, None, None, False, 0.0, out_weight, out_bias)
    embedded = data.shape[-1], heads
    step = partial(call, data, data, data, *embedded, *weights, need_weights=False)
    return lambda: step()[0]
