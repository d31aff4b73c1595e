"""PyTorch's arithmetic."""

from opperf.core.implementation import native
from opperf.operators import arithmetic

TABLE = {
    arithmetic.Add: native("torch.add"),
    arithmetic.Multiply: native("torch.mul"),
    arithmetic.Subtract: native("torch.sub"),
    arithmetic.Divide: native("torch.div"),
    arithmetic.Modulo: native("torch.remainder"),
    arithmetic.Power: native("torch.pow"),
    arithmetic.Negative: native("torch.neg"),
    arithmetic.IAdd: native("torch.Tensor.add_"),
    arithmetic.ISub: native("torch.Tensor.sub_"),
    arithmetic.IMul: native("torch.Tensor.mul_"),
    arithmetic.IDiv: native("torch.Tensor.div_"),
    arithmetic.IMod: native("torch.Tensor.remainder_"),
}
