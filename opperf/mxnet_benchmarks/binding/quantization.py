"""MXNet's quantization; ranges are tensors, and each call returns those of its output as well."""

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


def calibrated(limit: float) -> dict[str, float]:
    """Return the options of a range, which calibration would find."""
    return {"min_calib_range": -limit, "max_calib_range": limit}


def quantize(call: Callable[..., Any], data: Any, *, limit: float) -> Step:
    """Bind the range."""
    return first(partial(call, data, out_type="int8", **calibrated(limit)))


def ranges(full: Callable[..., Any], limit: float) -> tuple[Any, Any]:
    """Return least and largest value as tensors."""
    return full((1,), -limit), full((1,), limit)


def dequantize(
    call: Callable[..., Any], full: Callable[..., Any], data: Any, *, limit: float
) -> Step:
    """Bind the range."""
    return partial(call, data, *ranges(full, limit), out_type="float32")


def dense(call: Callable[..., Any], full: Callable[..., Any], data: Any, weight: Any) -> Step:
    """Bind unit ranges."""
    options = {"num_hidden": weight.shape[0], "no_bias": True}
    return first(partial(call, data, weight, *ranges(full, 1), *ranges(full, 1), **options))


def unit(call: Callable[..., Any], full: Callable[..., Any], data: Any, **options: Any) -> Step:
    """Bind a unit range."""
    return first(partial(call, data, *ranges(full, 1), **options))


WHOLE = 2.0**31 - 1
"""As a range of int32 it makes one step one."""


def requantize(
    call: Callable[..., Any], full: Callable[..., Any], data: Any, *, scale: float
) -> Step:
    """Bind the ranges."""
    limit = quantization.LEVELS / scale
    return first(partial(call, data, *ranges(full, WHOLE), **calibrated(limit)))
