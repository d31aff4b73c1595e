"""MXNet's creation of tensors."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.mxnet_benchmarks.binding.cast import element_type

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def create(call: Callable[..., Any], *, dtype: str, device: str, **attributes: Any) -> Step:
    """Bind the attributes, which MXNet takes in the same order; the device is its current one."""
    del device
    return partial(call, *attributes.values(), dtype=element_type(dtype))


def fill(call: Callable[..., Any], data: Any, *, value: float) -> Step:
    """Bind the assignment to all elements."""
    return partial(call, data, slice(None), value)
