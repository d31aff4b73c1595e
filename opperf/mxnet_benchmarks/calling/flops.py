"""The FLOP of MXNet's products and convolutions, forward and backward; a multiply-add is two.

Biases are not counted, as PyTorch's own formulas leave them out.
"""

from __future__ import annotations

from math import prod
from types import MappingProxyType
from typing import TYPE_CHECKING

from opperf.mxnet_benchmarks.calling.registry import differentiated_by

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from opperf.mxnet_benchmarks.calling.arguments import OperatorArguments

    Shape = Sequence[int]
    Formula = Callable[[Sequence[Shape], Shape, Mapping[str, str]], int]

PRODUCTS = 2
"""The gradients of a product that are products themselves: by each of its factors."""


def count_flop(operator: str, given: OperatorArguments, results: Sequence[Shape]) -> int | None:
    """Return the FLOP of a call, None where there is no formula.

    Args:
        operator: the registered name.
        given: its arrays and attributes.
        results: the shapes of what a forward returns.

    """
    forward = differentiated_by(operator)
    formula = FORMULAS.get(forward or operator)
    if formula is None:
        return None
    shapes = [tensor.shape for tensor in given.arrays.values()]
    if forward is None:
        return formula(shapes, results[0], given.attributes)
    gradient, *inputs = shapes
    wanted = sum(request != "null" for request in given.requests[:PRODUCTS])
    return wanted * formula(inputs, gradient, given.attributes)


def convolution(inputs: Sequence[Shape], output: Shape, attributes: Mapping[str, str]) -> int:
    """Each element of the result is a sum over a filter, which the weight has one for a channel."""
    del attributes
    filters = inputs[1]
    return 2 * prod(output) * prod(filters) // filters[0]


def deconvolution(inputs: Sequence[Shape], output: Shape, attributes: Mapping[str, str]) -> int:
    """Each element of the data is multiplied by a filter."""
    del attributes, output
    data, filters = inputs[0], inputs[1]
    return 2 * prod(data) * prod(filters) // filters[0]


def fully_connected(inputs: Sequence[Shape], output: Shape, attributes: Mapping[str, str]) -> int:
    """Each element of the result is a sum over a row of the weight."""
    del attributes
    return 2 * prod(output) * inputs[1][-1]


def dot(inputs: Sequence[Shape], output: Shape, attributes: Mapping[str, str]) -> int:
    """Each element of the result is a sum over the first factor's last axis, or its first one."""
    left = inputs[0]
    axis = 0 if attributes.get("transpose_a") in ("True", "1", "true") else -1
    return 2 * prod(output) * left[axis]


def batch_dot(inputs: Sequence[Shape], output: Shape, attributes: Mapping[str, str]) -> int:
    """Each element of the result is a sum over the first factor's last axis, or the one before."""
    axis = -2 if attributes.get("transpose_a") in ("True", "1", "true") else -1
    return 2 * prod(output) * inputs[0][axis]


FORMULAS: Mapping[str, Formula] = MappingProxyType(
    {
        "Convolution": convolution,
        "Deconvolution": deconvolution,
        "FullyConnected": fully_connected,
        "dot": dot,
        "batch_dot": batch_dot,
        "_linalg_gemm2": batch_dot,
    }
)
