"""PyTorch's matrix products."""

from opperf.core.implementation import native
from opperf.operators import gemm

TABLE = {
    gemm.Dot: native("torch.mm"),
    gemm.BatchDot: native("torch.bmm"),
    gemm.Dense: native("torch.nn.functional.linear"),
}
