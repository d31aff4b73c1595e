"""MXNet's gated layers, which its oneDNN does not fuse."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.mxnet_benchmarks.binding.fusing import Calls, Composition


def projections(multiply: Any, tensors: Sequence[Any]) -> Composition:
    """Return a dense layer without bias."""
    options = {"num_hidden": len(tensors[1]), "no_bias": True, "flatten": False}
    return lambda data, weight: multiply(data, weight, **options)


def swiglu(calls: Calls, tensors: Sequence[Any]) -> Composition:
    """silu(data @ gate^T) * (data @ weight^T)."""
    multiply, sigmoid, product = calls
    layer = projections(multiply, tensors)

    def composition(data: Any, gate_weight: Any, up_weight: Any) -> Any:
        gate = layer(data, gate_weight)
        return product(product(gate, sigmoid(gate)), layer(data, up_weight))

    return composition


def geglu(calls: Calls, tensors: Sequence[Any]) -> Composition:
    """gelu(data @ gate^T) * (data @ weight^T)."""
    multiply, activate, product = calls
    layer = projections(multiply, tensors)

    def composition(data: Any, gate_weight: Any, up_weight: Any) -> Any:
        gate = activate(layer(data, gate_weight), act_type="gelu")
        return product(gate, layer(data, up_weight))

    return composition
