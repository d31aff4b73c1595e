"""PyTorch's exponentials and logarithms."""

from opperf.core.implementation import native
from opperf.operators import exponential

TABLE = {
    exponential.Log: native("torch.log"),
    exponential.Exp: native("torch.exp"),
    exponential.Expm1: native("torch.expm1"),
}
