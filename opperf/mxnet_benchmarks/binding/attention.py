"""MXNet's attention: compositions, and fused halves for interleaved projections."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from opperf.core.frameworks.implementation import BoundCall

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from opperf.mxnet_benchmarks.binding.fusing import Calls, Composition


def scaled_dot_product_attention(calls: Calls, tensors: Sequence[Any]) -> Composition:
    """softmax(query @ key^T / scale) @ value, with batch and heads as one axis."""
    multiply, softmax = calls
    by_query, by_key, by_value = ((-1, *tensor.shape[2:]) for tensor in tensors)
    *batch, features = tensors[0].shape
    scale, shape = sqrt(features), (*batch, by_value[-1])

    def composition(query: Any, key: Any, value: Any) -> Any:
        scores = multiply(query.reshape(by_query), key.reshape(by_key), transpose_b=True)
        shares = softmax(scores, temperature=scale)
        return multiply(shares, value.reshape(by_value)).reshape(shape)

    return composition


def multi_head(  # noqa: PLR0913, PLR0917 - five calls, then five tensors
    project: Callable[..., Any], scores: Callable[..., Any], softmax: Callable[..., Any],
    values: Callable[..., Any], take: Callable[..., Any],
    data: Any, in_weight: Any, in_bias: Any, out_weight: Any, out_bias: Any, *, heads: int,
) -> BoundCall:  # fmt: skip
    """Multi-head attention; the first weight's rows are interleaved by head beforehand."""
    width = data.shape[2]
    order = np.arange(3 * width).reshape(3, heads, -1).transpose(1, 0, 2).ravel()
    there, back = (data_of(take, rows) for rows in (order, np.argsort(order)))
    weight, bias = there(in_weight), there(in_bias)
    leaves = data, weight, bias, out_weight, out_bias
    for leaf in (weight, bias):
        leaf.attach_grad()
    options = {"flatten": False}

    def composition() -> Any:
        parts = project(data, weight, bias, num_hidden=3 * width, **options)
        shares = softmax(scores(parts, heads=heads))
        found = values(parts, shares, heads=heads)
        return project(found, out_weight, out_bias, num_hidden=width, **options)

    def unpack(gradients: Sequence[Any]) -> Sequence[Any]:
        by_data, by_weight, by_bias, *others = gradients
        return by_data, back(by_weight), back(by_bias), *others

    return BoundCall(composition, leaves, unpack)


def data_of(take: Callable[..., Any], rows: Any) -> Callable[[Any], Any]:
    """Return the function that reorders the rows of an array."""
    from opperf.mxnet_benchmarks.alias import import_mxnet

    index = import_mxnet().nd.array(rows, dtype="int64")
    return lambda array: take(array, index)
