"""MXNet's callables for the operators of expand, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built, native
from opperf.mxnet_benchmarks.binding.expand import bordering, meshgrid, pad
from opperf.operators.expand import broadcast, expand

TABLE = {
    broadcast.BroadcastTo: native("mxnet.nd.broadcast_to"),
    broadcast.BroadcastAxis: native("mxnet.nd.broadcast_axis"),
    # Copied; PyTorch returns a view, as for MeshGrid.
    broadcast.BroadcastLike: native("mxnet.nd.broadcast_like"),
    broadcast.Repeat: native("mxnet.nd.repeat"),
    broadcast.PadReflect: bordering("reflect"),
    broadcast.PadEdge: bordering("edge"),
    broadcast.MeshGrid: built("mxnet.np.meshgrid", meshgrid),
    expand.Tile: native("mxnet.nd.tile"),
    expand.Pad: built("mxnet.nd.pad", pad),
}
