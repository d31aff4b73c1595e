"""PyTorch's quantization: quantized tensors carry their scale, and are what a call returns.

Their integers are copied out (`torch.int_repr`) where results are compared, never here.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.operators import quantization

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def quantize(call: Callable[..., Any], data: Any, *, limit: float) -> Step:
    """quantize_per_tensor with the scale."""
    import torch

    return partial(call, data, limit / quantization.RANGE, 0, torch.qint8)


def dequantize(
    call: Callable[..., Any], make: Callable[..., Any], data: Any, *, limit: float
) -> Step:
    """Return dequantize of a quantized tensor made beforehand."""
    return partial(call, make(data, limit / quantization.RANGE, 0))


def fake(call: Callable[..., Any], data: Any, *, limit: float) -> Step:
    """fake_quantize_per_tensor_affine with the scale."""
    levels = quantization.LEVELS
    return partial(call, data, limit / quantization.RANGE, 0, -levels - 1, levels)


def fake_channels(
    call: Callable[..., Any], full: Callable[..., Any], data: Any, *, limit: float
) -> Step:
    """fake_quantize_per_channel_affine with a scale per row."""
    import torch

    levels, rows = quantization.LEVELS, (len(data),)
    scales = full(rows, limit / quantization.RANGE, device=data.device)
    zeros = full(rows, 0, dtype=torch.int32, device=data.device)
    return partial(call, data, scales, zeros, 0, -levels - 1, levels)


def dense(call: Callable[..., Any], data: Any, weight: Any) -> Step:
    """The int8 product with the transposed weight, which is a view."""
    return partial(call, data, weight.T)


def requantize(call: Callable[..., Any], data: Any, *, scale: float) -> Step:
    """Float -> quantize: PyTorch quantizes floating-point numbers only."""
    import torch

    return lambda: call(data.float(), 1 / scale, 0, torch.qint8)


def on_quantized(
    call: Callable[..., Any], make: Callable[..., Any], data: Any, *arguments: Any
) -> Step:
    """A call on a quantized tensor of unit scale, made beforehand."""
    return partial(call, make(data, 1.0, 0), *arguments)


def pool(call: Callable[..., Any], make: Callable[..., Any], data: Any) -> Step:
    """Maximum pooling over windows of two, of a quantized tensor made beforehand."""
    return on_quantized(call, make, data, 2)
