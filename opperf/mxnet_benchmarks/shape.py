"""MXNet's changes of shape."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import built, native
from opperf.mxnet_benchmarks.interface import numpy_interface
from opperf.operators.shape import axes as shape_axes
from opperf.operators.shape import blocks as shape_blocks
from opperf.operators.shape import shape
from opperf.operators.shape import triangles as shape_triangles
from opperf.operators.shape import views as shape_views

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def pixel_shuffle(call: Callable[..., Any], data: Any, *, block: int) -> Step:
    """Make the block once, which composes reshapes and a transpose."""
    return partial(call(block), data)


def pixel_unshuffle(
    view: Callable[..., Any], move: Callable[..., Any], data: Any, *, block: int
) -> Step:
    """View -> transpose -> view."""
    n, c, h, w = data.shape
    parts = (n, c, h // block, block, w // block, block)
    whole = (n, c * block**2, h // block, w // block)
    return lambda: view(move(view(data, parts), axes=(0, 1, 3, 5, 2, 4)), whole)


def channel_shuffle(
    view: Callable[..., Any], move: Callable[..., Any], data: Any, *, groups: int
) -> Step:
    """View -> swapaxes -> view."""
    n, c, h, w = data.shape
    return lambda: view(move(view(data, (n, groups, c // groups, h, w)), 1, 2), (n, c, h, w))


TABLE = {
    shape.Transpose: native("mxnet.nd.transpose"),
    # The method returns a view, the function mxnet.nd.reshape a copy.
    shape.Reshape: native("mxnet.nd.NDArray.reshape"),
    shape.Flatten: native("mxnet.nd.flatten"),
    shape_axes.SwapAxes: native("mxnet.nd.swapaxes"),
    shape_axes.MoveAxis: numpy_interface("mxnet.np.moveaxis"),
    shape_axes.Flip: native("mxnet.nd.flip"),
    shape_axes.FlipLR: numpy_interface("mxnet.np.fliplr"),
    shape_axes.FlipUD: numpy_interface("mxnet.np.flipud"),
    shape_axes.Roll: numpy_interface("mxnet.np.roll"),
    shape_axes.Rot90: numpy_interface("mxnet.np.rot90"),
    shape_views.Squeeze: native("mxnet.nd.squeeze"),
    shape_views.ExpandDims: native("mxnet.nd.expand_dims"),
    shape_views.Ravel: numpy_interface("mxnet.np.ravel"),
    shape_views.ReshapeLike: native("mxnet.nd.reshape_like"),
    shape_views.SizeArray: native("mxnet.nd.size_array"),
    shape_views.ShapeArray: native("mxnet.nd.shape_array"),
    shape_triangles.Diag: native("mxnet.nd.diag"),
    shape_triangles.Diagonal: numpy_interface("mxnet.np.diagonal", axis1=-2, axis2=-1),
    shape_triangles.DiagMatrix: native("mxnet.nd.diag", k=0),
    shape_triangles.Tril: numpy_interface("mxnet.np.tril"),
    shape_blocks.DepthToSpace: native("mxnet.nd.depth_to_space", rename={"block": "block_size"}),
    shape_blocks.SpaceToDepth: native("mxnet.nd.space_to_depth", rename={"block": "block_size"}),
    shape_blocks.PixelUnshuffle: built(
        "mxnet.nd.NDArray.reshape + mxnet.nd.transpose", pixel_unshuffle
    ),
    shape_blocks.ChannelShuffle: built(
        "mxnet.nd.NDArray.reshape + mxnet.nd.swapaxes", channel_shuffle
    ),
    shape_blocks.PixelShuffle: built("mxnet.gluon.contrib.nn.PixelShuffle2D", pixel_shuffle),
}
