"""PyTorch's gated layers and rotary attention, compiled or eager."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from opperf.pytorch_benchmarks.binding.fusing import Calls, Composition


def gated_linear(calls: Calls) -> Composition:
    """activation(data @ gate^T) * (data @ weight^T)."""
    linear, activate, multiply = calls

    def composition(data: Any, gate_weight: Any, up_weight: Any) -> Any:
        return multiply(activate(linear(data, gate_weight)), linear(data, up_weight))

    return composition


def rotary_attention(calls: Calls) -> Composition:
    """Rotary embedding of queries and keys -> attention."""
    attend, multiply, add_product, join = calls

    def rotate(data: Any, cosine: Any, sine: Any) -> Any:
        first, second = data.chunk(2, -1)
        return add_product(multiply(data, cosine), join((-second, first), -1), sine)

    def composition(query: Any, key: Any, value: Any, cosine: Any, sine: Any) -> Any:
        return attend(rotate(query, cosine, sine), rotate(key, cosine, sine), value)

    return composition
