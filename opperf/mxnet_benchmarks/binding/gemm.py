"""MXNet's matrix products."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import BoundCall
from opperf.mxnet_benchmarks.binding.interface import arrays_of
from opperf.operators.gemm import contractions as gemm_contractions

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def fully_connected(call: Callable[..., Any], data: Any, weight: Any, bias: Any) -> Step:
    """Return data @ weight^T + bias."""
    return partial(call, data, weight, bias, num_hidden=weight.shape[0], flatten=False)


def einsum(call: Callable[..., Any], lhs: Any, rhs: Any) -> BoundCall:
    """The Einstein sum of the formula, by arrays of the NumPy interface."""
    arrays, leaves = arrays_of((lhs, rhs))
    return BoundCall(partial(call, gemm_contractions.SCORES, *arrays), leaves)


def vecdot(multiply: Callable[..., Any], add_up: Callable[..., Any], lhs: Any, rhs: Any) -> Step:
    """sum(lhs * rhs) of each row."""
    return lambda: add_up(multiply(lhs, rhs), axis=1)


def multi_dot(call: Callable[..., Any], first: Any, second: Any, third: Any) -> Step:
    """The product of several matrices, in the order of the fewest operations."""
    (a, b), (c, d) = first.shape, third.shape
    if a * c * (b + d) <= b * d * (a + c):
        return lambda: call(call(first, second), third)
    return lambda: call(first, call(second, third))
