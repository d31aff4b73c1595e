"""PyTorch's int8 products with a change of scale, by oneDNN and as parts."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


ZERO = 128
"""The zero point of uint8 that leaves room for all of int8."""


def dense_requantize(
    call: Callable[..., Any], pack: Callable[..., Any], data: Any, weight: Any, *, scale: float
) -> Step:
    """Bind the weight packed beforehand, and unit scales; nothing follows the product.

    The data are what they are as uint8 about a zero point, converted beforehand as well: of int8
    data oneDNN computes no product but by its reference, a thousand times as slow.
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
    """int8 product -> float -> quantize: torch quantizes floating-point numbers only."""
    import torch

    turned = weight.T

    def composition() -> Any:
        return call(multiply(data, turned).float(), 1 / scale, 0, torch.qint8)

    return composition
