"""PyTorch's expansions."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import Implementation, built, native
from opperf.operators.expand import broadcast as expand_broadcast
from opperf.operators.expand import expand

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def pad(call: Callable[..., Any], data: Any, *, padding: int, value: float) -> Step:
    """Bind; torch counts the sides from the last dimension."""
    return partial(call, data, (padding,) * 4, "constant", value)


def border(call: Callable[..., Any], data: Any, *, padding: int, mode: str) -> Step:
    """Bind likewise."""
    return partial(call, data, (padding,) * 4, mode)


def bordering(mode: str) -> Implementation:
    """Return the border by this rule."""
    return built("torch.nn.functional.pad", partial(border, mode=mode))


def broadcast_axis(call: Callable[..., Any], data: Any, *, axis: int, size: int) -> Step:
    """Bind; torch takes the whole shape, -1 where it stays."""
    return partial(call, data, tuple(size if at == axis else -1 for at in range(data.ndim)))


TABLE = {
    expand.Tile: native("torch.tile", rename={"reps": "dims"}),
    expand.Pad: built("torch.nn.functional.pad", pad),
    expand_broadcast.BroadcastTo: native("torch.expand_copy", rename={"shape": "size"}),
    expand_broadcast.BroadcastAxis: built("torch.expand_copy", broadcast_axis),
    expand_broadcast.BroadcastLike: native("torch.Tensor.expand_as"),
    expand_broadcast.Repeat: native("torch.repeat_interleave", rename={"axis": "dim"}),
    expand_broadcast.PadReflect: bordering("reflect"),
    expand_broadcast.PadEdge: bordering("replicate"),
    expand_broadcast.PadCircular: bordering("circular"),
    expand_broadcast.MeshGrid: native("torch.meshgrid", indexing="ij"),
}
