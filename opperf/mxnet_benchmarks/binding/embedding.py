"""MXNet's embeddings."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import Implementation, built
from opperf.mxnet_benchmarks.binding.cast import element_type

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def lookup(call: Callable[..., Any], data: Any, weight: Any) -> Step:
    """weight[data], with the table's size and dtype, which MXNet requires."""
    rows, features = weight.shape
    return partial(call, data, weight, input_dim=rows, output_dim=features, dtype=weight.dtype)


def one_hot(call: Callable[..., Any], indices: Any, *, depth: int, to: str) -> Step:
    """The one-hot vectors of the indices."""
    return partial(call, indices, depth, dtype=element_type(to))


def bag(call: Callable[..., Any], combine: Callable[..., Any], data: Any, weight: Any) -> Step:
    """Embedding -> reduction over each bag."""
    rows = lookup(call, data, weight)
    return lambda: combine(rows(), axis=1)


def weighted_bag(
    look_up: Callable[..., Any], expand: Callable[..., Any], multiply: Callable[..., Any],
    add_up: Callable[..., Any], *tensors: Any,
) -> Step:  # fmt: skip
    """Embedding -> multiply each row by its scale -> sum over each bag."""
    data, weight, scales = tensors
    rows = lookup(look_up, data, weight)
    return lambda: add_up(multiply(rows(), expand(scales, axis=2)), axis=1)


def bags(rule: str) -> Implementation:
    """Return the combination of bags by this reduction."""
    return built(f"mxnet.nd.Embedding + mxnet.nd.{rule}", bag)
