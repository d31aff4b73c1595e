"""PyTorch's callables for the operators of shape, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built, native
from opperf.operators.shape import axes, blocks, detachment, layouts, shape, triangles, views
from opperf.pytorch_benchmarks.binding.shape import (
    as_strided,
    channels_last,
    depth_to_space,
    flip,
    move_axis,
    size_array,
    space_to_depth,
)

TABLE = {
    axes.SwapAxes: native("torch.transpose_copy", rename={"dim1": "dim0", "dim2": "dim1"}),
    axes.MoveAxis: built("torch.movedim + torch.Tensor.contiguous", move_axis),
    axes.Flip: built("torch.flip", flip),
    axes.FlipLR: native("torch.fliplr"),
    axes.FlipUD: native("torch.flipud"),
    axes.Roll: native("torch.roll", rename={"shift": "shifts", "axis": "dims"}),
    axes.Rot90: native("torch.rot90"),
    blocks.DepthToSpace: built("torch.permute + torch.reshape", depth_to_space),
    blocks.SpaceToDepth: built("torch.permute + torch.reshape", space_to_depth),
    blocks.PixelShuffle: native(
        "torch.nn.functional.pixel_shuffle", rename={"block": "upscale_factor"}
    ),
    blocks.PixelUnshuffle: native(
        "torch.nn.functional.pixel_unshuffle", rename={"block": "downscale_factor"}
    ),
    blocks.ChannelShuffle: native("torch.channel_shuffle"),
    # StopGradient: a view.
    detachment.StopGradient: native("torch.detach"),
    # AsStrided: a view, whose backward adds up the overlaps.
    layouts.AsStrided: built("torch.as_strided", as_strided),
    # SlidingWindows: a view, whose backward adds up the overlaps.
    layouts.SlidingWindows: native(
        "torch.Tensor.unfold", rename={"axis": "dimension", "length": "size"}
    ),
    layouts.ChannelsLast: built("torch.Tensor.contiguous", channels_last),
    # Transpose: a copy, which is asked for; the backward is a view.
    shape.Transpose: native("torch.permute_copy", rename={"axes": "dims"}),
    # Reshape: a view, forward and backward.
    shape.Reshape: native("torch.reshape"),
    # Flatten: a view.
    shape.Flatten: native("torch.flatten", start_dim=1),
    triangles.Diag: native("torch.diag"),
    triangles.Diagonal: native("torch.diagonal_copy", dim1=-2, dim2=-1),
    triangles.DiagMatrix: native("torch.diag_embed"),
    triangles.Tril: native("torch.tril"),
    triangles.Triu: native("torch.triu"),
    # Squeeze: views, of the four operators from here.
    views.Squeeze: native("torch.squeeze", rename={"axis": "dim"}),
    views.ExpandDims: native("torch.unsqueeze", rename={"axis": "dim"}),
    views.Ravel: native("torch.ravel"),
    views.ReshapeLike: native("torch.Tensor.reshape_as"),
    views.SizeArray: built("torch.tensor", size_array),
    views.ShapeArray: native("torch._shape_as_tensor"),
}
