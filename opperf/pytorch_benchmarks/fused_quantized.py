"""PyTorch's int8 products with a change of scale, by oneDNN and as parts."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.implementation import Fusable, built
from opperf.operators import fused_quantized

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.device import Step


def dense_requantize(
    call: Callable[..., Any], pack: Callable[..., Any], data: Any, weight: Any, *, scale: float
) -> Step:
    """Bind the weight packed beforehand, and unit scales; nothing follows the product."""
    import torch

    units = len(weight)
    ones, zeros = torch.ones(units), torch.zeros(units, dtype=torch.int32)
    packed = pack(weight, data.shape)
    nothing: tuple[str, list[Any], str] = ("none", [], "")
    result = (1 / scale, 0, torch.int8)
    return partial(call, data, 1.0, 0, packed, ones, zeros, None, *result, *nothing)


def dense_then_requantize(
    multiply: Callable[..., Any], call: Callable[..., Any], numbers: Callable[..., Any],
    data: Any, weight: Any, *, scale: float,
) -> Step:  # fmt: skip
    """Compose the calls of the two operators."""
    import torch

    def composition() -> Any:
        total = multiply(data, weight.T).float()
        return numbers(call(total, 1 / scale, 0, torch.qint8))

    return composition


ONEDNN = "torch.ops.onednn"
TABLE = {
    fused_quantized.DenseRequantize: Fusable(
        fused=built(f"{ONEDNN}.qlinear_pointwise + {ONEDNN}.qlinear_prepack", dense_requantize),
        unfused=built(
            "torch._int_mm + torch.quantize_per_tensor + torch.int_repr", dense_then_requantize
        ),
    ),
}
