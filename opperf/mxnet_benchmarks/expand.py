"""MXNet's expansions."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.implementation import built, native
from opperf.operators import expand

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.device import Step


def pad(call: Callable[..., Any], data: Any, *, padding: int, value: float) -> Step:
    """Bind; MXNet counts the sides from the first dimension, and pads no batch and no channel."""
    sides = (0, 0, 0, 0, *(padding,) * 4)
    return partial(call, data, mode="constant", pad_width=sides, constant_value=value)


TABLE = {
    expand.Tile: native("mxnet.nd.tile"),
    expand.Pad: built("mxnet.nd.pad", pad),
}
