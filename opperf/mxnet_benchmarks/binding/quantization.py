"""MXNet's quantization; ranges are tensors, and each call also returns its output's range."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.operators import quantization

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def first(call: Callable[[], Any]) -> Step:
    """Return the values without their range."""
    return lambda: call()[0]


def calibration(limit: float) -> dict[str, float]:
    """Return the options of a calibrated range."""
    return {"min_calib_range": -limit, "max_calib_range": limit}


def quantize(call: Callable[..., Any], data: Any, *, limit: float) -> Step:
    """Quantize with the calibrated range."""
    return first(partial(call, data, out_type="int8", **calibration(limit)))


def ranges(full: Callable[..., Any], limit: float) -> tuple[Any, Any]:
    """Return the minimum and maximum as tensors."""
    return full((1,), -limit), full((1,), limit)


def dequantize(
    call: Callable[..., Any], full: Callable[..., Any], data: Any, *, limit: float
) -> Step:
    """Dequantize with the calibrated range."""
    return partial(call, data, *ranges(full, limit), out_type="float32")


def dense(call: Callable[..., Any], full: Callable[..., Any], data: Any, weight: Any) -> Step:
    """The int8 dense product, with unit ranges."""
    options = {"num_hidden": weight.shape[0], "no_bias": True}
    return first(partial(call, data, weight, *ranges(full, 1), *ranges(full, 1), **options))


def unit(call: Callable[..., Any], full: Callable[..., Any], data: Any, **options: Any) -> Step:
    """An int8 operator with a unit range."""
    return first(partial(call, data, *ranges(full, 1), **options))


WHOLE = 2.0**31 - 1
"""The int32 range in which one step is one."""


def requantize(
    call: Callable[..., Any], full: Callable[..., Any], data: Any, *, scale: float
) -> Step:
    """Requantize with the ranges."""
    limit = quantization.LEVELS / scale
    return first(partial(call, data, *ranges(full, WHOLE), **calibration(limit)))
