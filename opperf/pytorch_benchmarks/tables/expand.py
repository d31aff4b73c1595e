"""PyTorch's callables for the operators of expand, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built, native
from opperf.operators.expand import broadcast, expand
from opperf.pytorch_benchmarks.binding.expand import bordering, broadcast_axis, pad

TABLE = {
    broadcast.BroadcastTo: native("torch.expand_copy", rename={"shape": "size"}),
    broadcast.BroadcastAxis: built("torch.expand_copy", broadcast_axis),
    # A view, as are the results of meshgrid; broadcast_to and broadcast_axis are made to copy.
    broadcast.BroadcastLike: native("torch.Tensor.expand_as"),
    broadcast.Repeat: native("torch.repeat_interleave", rename={"axis": "dim"}),
    broadcast.PadReflect: bordering("reflect"),
    broadcast.PadEdge: bordering("replicate"),
    broadcast.PadCircular: bordering("circular"),
    broadcast.MeshGrid: native("torch.meshgrid", indexing="ij"),
    expand.Tile: native("torch.tile", rename={"reps": "dims"}),
    expand.Pad: built("torch.nn.functional.pad", pad),
}
