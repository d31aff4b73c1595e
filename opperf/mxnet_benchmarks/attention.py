"""MXNet's attention: a composition; its fused halves take projections that are interleaved."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Any

from opperf.core.implementation import built
from opperf.operators import attention

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.device import Step


def scaled_dot_product_attention(
    view: Callable[..., Any], multiply: Callable[..., Any], softmax: Callable[..., Any],
    query: Any, key: Any, value: Any,
) -> Step:  # fmt: skip
    """Compose; the softmax divides by the scale, and batches take one axis, without a copy."""
    scale = sqrt(query.shape[-1])
    flat = [(-1, *tensor.shape[2:]) for tensor in (query, key, value)]
    shape = (*query.shape[:3], value.shape[-1])

    def composition() -> Any:
        scores = multiply(view(query, flat[0]), view(key, flat[1]), transpose_b=True)
        shares = softmax(scores, temperature=scale)
        return view(multiply(shares, view(value, flat[2])), shape)

    return composition


TABLE = {
    attention.ScaledDotProductAttention: built(
        "mxnet.nd.NDArray.reshape + mxnet.nd.batch_dot + mxnet.nd.softmax",
        scaled_dot_product_attention,
    ),
}
