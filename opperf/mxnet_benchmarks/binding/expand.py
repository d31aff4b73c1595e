"""MXNet's expansions."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import BoundCall, Implementation, built
from opperf.mxnet_benchmarks.binding.interface import arrays_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def pad(call: Callable[..., Any], data: Any, *, padding: int, value: float) -> Step:
    """Constant padding; MXNet counts sides from the first axis, not those of batch and channel."""
    sides = (0, 0, 0, 0, *(padding,) * 4)
    return partial(call, data, mode="constant", pad_width=sides, constant_value=value)


def border(call: Callable[..., Any], data: Any, *, padding: int, mode: str) -> Step:
    """Padding of the borders by `mode`, with sides counted from the first dimension."""
    return partial(call, data, mode=mode, pad_width=(0, 0, 0, 0, *(padding,) * 4))


def bordering(mode: str) -> Implementation:
    """Return the padding of this mode."""
    return built("mxnet.nd.pad", partial(border, mode=mode))


def meshgrid(call: Callable[..., Any], lhs: Any, rhs: Any) -> BoundCall:
    """Coordinate matrices, by arrays of the NumPy interface."""
    arrays, leaves = arrays_of((lhs, rhs))
    return BoundCall(partial(call, *arrays, indexing="ij"), leaves)
