"""PyTorch's rounding and limiting."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.implementation import built
from opperf.operators import rounding

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.device import Step


def clip(call: Callable[..., Any], data: Any, *, a_min: float, a_max: float) -> Step:
    """Bind, with whole limits for whole numbers, which others would turn into floats."""
    kind = float if data.is_floating_point() else int
    return partial(call, data, kind(a_min), kind(a_max))


TABLE = {
    rounding.Clip: built("torch.clamp", clip),
}
