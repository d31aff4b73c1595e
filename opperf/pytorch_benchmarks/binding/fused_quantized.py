"""PyTorch's int8 products with requantization, by oneDNN and as parts."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


ZERO = 128
"""The zero point of uint8 that shifts all of int8 into range."""


def dense_requantize(
    call: Callable[..., Any], pack: Callable[..., Any], data: Any, weight: Any, *, scale: float
) -> Step:
    """Fused dense -> requantize, with the weight packed beforehand and unit scales.

    The data are converted beforehand to uint8 with a zero point: for int8 data oneDNN only has its
    reference implementation, a thousand times as slow.
    """
    import torch

    units = len(weight)
    ones, zeros = torch.ones(units), torch.zeros(units, dtype=torch.int32)
    packed = pack(weight, data.shape)
    shifted = (data.short() + ZERO).to(torch.uint8)
    nothing: tuple[str, list[Any], str] = ("none", [], "")
    result = (1 / scale, 0, torch.int8)
    return partial(call, shifted, 1.0, ZERO, packed, ones, zeros, None, *result, *nothing)


def dense_then_requantize(
    multiply: Callable[..., Any], call: Callable[..., Any], data: Any, weight: Any, *, scale: float
) -> Step:
    """int8 product -> float -> quantize: PyTorch quantizes floating-point numbers only."""
    import torch

    turned = weight.T

    def composition() -> Any:
        return call(multiply(data, turned).float(), 1 / scale, 0, torch.qint8)

    return composition
