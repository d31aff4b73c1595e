"""MXNet's creation of tensors."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.mxnet_benchmarks.binding.cast import element_type

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def create(call: Callable[..., Any], *, dtype: str, device: str, **attributes: Any) -> Step:
    """A new tensor on MXNet's current device, which takes the attributes in the same order."""
    del device
    return partial(call, *attributes.values(), dtype=element_type(dtype))


def fill(call: Callable[..., Any], data: Any, *, value: float) -> Step:
    """data[:] = value."""
    return partial(call, data, slice(None), value)
