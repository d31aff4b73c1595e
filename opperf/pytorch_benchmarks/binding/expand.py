"""PyTorch's expansions."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import Implementation, built

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def pad(call: Callable[..., Any], data: Any, *, padding: int, value: float) -> Step:
    """Constant padding; PyTorch counts sides from the last dimension."""
    return partial(call, data, (padding,) * 4, "constant", value)


def border(call: Callable[..., Any], data: Any, *, padding: int, mode: str) -> Step:
    """Padding of the borders by `mode`, with sides counted from the last dimension."""
    return partial(call, data, (padding,) * 4, mode)


def bordering(mode: str) -> Implementation:
    """Return the padding of this mode."""
    return built("torch.nn.functional.pad", partial(border, mode=mode))


def broadcast_axis(call: Callable[..., Any], data: Any, *, axis: int, size: int) -> Step:
    """Broadcast to a whole shape, with -1 for unchanged axes."""
    return partial(call, data, tuple(size if at == axis else -1 for at in range(data.ndim)))
