"""PyTorch's reductions."""

from opperf.core.implementation import native
from opperf.operators import reduction

DIM = {"axis": "dim"}

TABLE = {
    reduction.Sum: native("torch.sum", rename=DIM),
    reduction.Mean: native("torch.mean", rename=DIM),
    reduction.Prod: native("torch.prod", rename=DIM),
    reduction.Norm: native("torch.linalg.vector_norm", rename=DIM),
    reduction.Max: native("torch.amax", rename=DIM),
    reduction.Min: native("torch.amin", rename=DIM),
}
