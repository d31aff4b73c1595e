"""PyTorch's gated layers and rotated attention, compiled or one call after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.operators.fused import gated as fused_gated
from opperf.pytorch_benchmarks.attention import ATTENTION
from opperf.pytorch_benchmarks.fused import FUNCTIONS, fusable

if TYPE_CHECKING:
    from opperf.pytorch_benchmarks.fused import Calls, Composition


def gated(calls: Calls) -> Composition:
    """Compose the calls, the product twice."""
    linear, activate, multiply = calls

    def composition(data: Any, gate_weight: Any, up_weight: Any) -> Any:
        return multiply(activate(linear(data, gate_weight)), linear(data, up_weight))

    return composition


def rotary_attention(calls: Calls) -> Composition:
    """Compose the calls, the rotation once for queries and once for keys."""
    attend, multiply, add_product, join = calls

    def rotated(data: Any, cosine: Any, sine: Any) -> Any:
        first, second = data.chunk(2, -1)
        return add_product(multiply(data, cosine), join((-second, first), -1), sine)

    def composition(query: Any, key: Any, value: Any, cosine: Any, sine: Any) -> Any:
        return attend(rotated(query, cosine, sine), rotated(key, cosine, sine), value)

    return composition


LINEAR = f"{FUNCTIONS}.linear"
TABLE = {
    kind: fusable(kind, compose, *calls)
    for kind, compose, *calls in (
        (fused_gated.SwiGLU, gated, LINEAR, f"{FUNCTIONS}.silu", "torch.mul"),
        (fused_gated.GEGLU, gated, LINEAR, f"{FUNCTIONS}.gelu", "torch.mul"),
        (
            fused_gated.RotaryAttention, rotary_attention,
            ATTENTION, "torch.mul", "torch.addcmul", "torch.cat",
        ),
    )
}  # fmt: skip
