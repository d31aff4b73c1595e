"""PyTorch's arithmetic."""

from opperf.core.framework import native
from opperf.operators import arithmetic

TABLE = {
    arithmetic.Add: native("torch.add"),
    arithmetic.IMul: native("torch.Tensor.mul_"),
}
