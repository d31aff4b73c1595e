"""PyTorch's changes of shape."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import built, native
from opperf.operators.shape import axes as shape_axes
from opperf.operators.shape import blocks as shape_blocks
from opperf.operators.shape import layouts as shape_layouts
from opperf.operators.shape import shape
from opperf.operators.shape import triangles as shape_triangles
from opperf.operators.shape import views as shape_views

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def move_axis(
    move: Callable[..., Any], store: Callable[..., Any], data: Any, *, source: int, destination: int
) -> Step:
    """Compose with a copy: the bare call returns a view."""

    def composition() -> Any:
        return store(move(data, source, destination))

    return composition


def flip(call: Callable[..., Any], data: Any, *, axis: int) -> Step:
    """Bind; torch takes several axes."""
    return partial(call, data, (axis,))


def depth_to_space(
    permute: Callable[..., Any], reshape: Callable[..., Any], data: Any, *, block: int
) -> Step:
    """Compose: torch's own pixel_shuffle counts the channel first."""
    n, c, h, w = data.shape
    parts, whole = (n, block, block, c // block**2, h, w), (n, c // block**2, h * block, w * block)

    def composition() -> Any:
        return reshape(permute(data.view(parts), (0, 3, 4, 1, 5, 2)), whole)

    return composition


def space_to_depth(
    permute: Callable[..., Any], reshape: Callable[..., Any], data: Any, *, block: int
) -> Step:
    """Compose likewise."""
    n, c, h, w = data.shape
    parts = n, c, h // block, block, w // block, block
    whole = n, c * block**2, h // block, w // block

    def composition() -> Any:
        return reshape(permute(data.view(parts), (0, 3, 5, 1, 2, 4)), whole)

    return composition


def as_strided(call: Callable[..., Any], data: Any, *, window: int) -> Step:
    """Bind sizes and strides."""
    rows, columns = data.shape
    return partial(call, data, (rows, columns - window + 1, window), (columns, 1, 1))


def channels_last(call: Callable[..., Any], data: Any) -> Step:
    """Bind the layout, which is torch's own object."""
    import torch

    return partial(call, data, memory_format=torch.channels_last)


def size_array(call: Callable[..., Any], data: Any) -> Step:
    """A tensor of the number of elements, which is known without reading them."""
    return lambda: call([data.numel()])


TABLE = {
    shape.Transpose: native("torch.permute_copy", rename={"axes": "dims"}),
    shape.Reshape: native("torch.reshape"),
    shape.Flatten: native("torch.flatten", start_dim=1),
    shape_axes.SwapAxes: native("torch.transpose_copy", rename={"dim1": "dim0", "dim2": "dim1"}),
    shape_axes.MoveAxis: built("torch.movedim + torch.Tensor.contiguous", move_axis),
    shape_axes.Flip: built("torch.flip", flip),
    shape_axes.FlipLR: native("torch.fliplr"),
    shape_axes.FlipUD: native("torch.flipud"),
    shape_axes.Roll: native("torch.roll", rename={"shift": "shifts", "axis": "dims"}),
    shape_axes.Rot90: native("torch.rot90"),
    shape_views.Squeeze: native("torch.squeeze", rename={"axis": "dim"}),
    shape_views.ExpandDims: native("torch.unsqueeze", rename={"axis": "dim"}),
    shape_views.Ravel: native("torch.ravel"),
    shape_views.ReshapeLike: native("torch.Tensor.reshape_as"),
    shape_views.SizeArray: built("torch.tensor", size_array),
    shape_views.ShapeArray: native("torch._shape_as_tensor"),
    shape_triangles.Diag: native("torch.diag"),
    shape_triangles.Diagonal: native("torch.diagonal_copy", dim1=-2, dim2=-1),
    shape_triangles.DiagMatrix: native("torch.diag_embed"),
    shape_triangles.Tril: native("torch.tril"),
    shape_triangles.Triu: native("torch.triu"),
    shape_blocks.DepthToSpace: built("torch.permute + torch.reshape", depth_to_space),
    shape_blocks.SpaceToDepth: built("torch.permute + torch.reshape", space_to_depth),
    shape_blocks.PixelShuffle: native(
        "torch.nn.functional.pixel_shuffle", rename={"block": "upscale_factor"}
    ),
    shape_blocks.PixelUnshuffle: native(
        "torch.nn.functional.pixel_unshuffle", rename={"block": "downscale_factor"}
    ),
    shape_blocks.ChannelShuffle: native("torch.channel_shuffle"),
    shape_layouts.AsStrided: built("torch.as_strided", as_strided),
    shape_layouts.ChannelsLast: built("torch.Tensor.contiguous", channels_last),
}
