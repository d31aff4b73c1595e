"""PyTorch's expansions."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.implementation import built, native
from opperf.operators import expand

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.device import Step


def pad(call: Callable[..., Any], data: Any, *, padding: int, value: float) -> Step:
    """Bind; torch counts the sides from the last dimension."""
    return partial(call, data, (padding,) * 4, "constant", value)


TABLE = {
    expand.Tile: native("torch.tile", rename={"reps": "dims"}),
    expand.Pad: built("torch.nn.functional.pad", pad),
}
