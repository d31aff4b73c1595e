"""MXNet's callables for the operators of shape, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built, native
from opperf.core.frameworks.limitation import BACKWARD, Limitation
from opperf.mxnet_benchmarks.binding.interface import numpy_interface
from opperf.mxnet_benchmarks.binding.shape import channel_shuffle, pixel_shuffle, pixel_unshuffle
from opperf.operators.shape import axes, blocks, detachment, shape, triangles, views

TABLE = {
    axes.SwapAxes: native("mxnet.nd.swapaxes"),
    axes.MoveAxis: numpy_interface("mxnet.np.moveaxis"),
    axes.Flip: native("mxnet.nd.flip"),
    axes.FlipLR: numpy_interface("mxnet.np.fliplr"),
    axes.FlipUD: numpy_interface("mxnet.np.flipud"),
    axes.Roll: numpy_interface("mxnet.np.roll"),
    axes.Rot90: numpy_interface("mxnet.np.rot90").limited(
        Limitation(
            directions=BACKWARD,
            words="gradient by data is",
            note="its backward turns the gradient the same way round, and not back",
        ),
    ),
    blocks.DepthToSpace: native("mxnet.nd.depth_to_space", rename={"block": "block_size"}),
    blocks.SpaceToDepth: native("mxnet.nd.space_to_depth", rename={"block": "block_size"}),
    blocks.PixelShuffle: built("mxnet.gluon.contrib.nn.PixelShuffle2D", pixel_shuffle),
    blocks.PixelUnshuffle: built(
        "mxnet.nd.NDArray.reshape + mxnet.nd.transpose", pixel_unshuffle
    ).limited(
        Limitation(
            dtypes=("bfloat16",),
            words="IsView() == false",
            note="in bfloat16 it cannot transpose a view",
        ),
    ),
    blocks.ChannelShuffle: built("mxnet.nd.NDArray.reshape + mxnet.nd.swapaxes", channel_shuffle),
    # StopGradient: a copy.
    detachment.StopGradient: native("mxnet.nd.stop_gradient"),
    # Transpose: a copy, forward and backward.
    shape.Transpose: native("mxnet.nd.transpose").limited(
        Limitation(
            dtypes=("bfloat16",),
            words="killed by SIG",
            note="its transpose writes outside of its arrays in bfloat16, and kills the process",
            deadly=True,
        ),
    ),
    # Reshape: a view, whose backward copies.
    shape.Reshape: native("mxnet.nd.NDArray.reshape"),
    # Flatten: the operator of gluon.nn.Flatten, which copies.
    shape.Flatten: native("mxnet.nd.flatten"),
    triangles.Diag: native("mxnet.nd.diag"),
    triangles.Diagonal: numpy_interface("mxnet.np.diagonal", axis1=-2, axis2=-1),
    triangles.DiagMatrix: native("mxnet.nd.diag", k=0),
    triangles.Tril: numpy_interface("mxnet.np.tril"),
    # Squeeze: copies, of the four operators from here.
    views.Squeeze: native("mxnet.nd.squeeze"),
    views.ExpandDims: native("mxnet.nd.expand_dims"),
    views.Ravel: numpy_interface("mxnet.np.ravel"),
    views.ReshapeLike: native("mxnet.nd.reshape_like"),
    views.SizeArray: native("mxnet.nd.size_array"),
    views.ShapeArray: native("mxnet.nd.shape_array"),
}
