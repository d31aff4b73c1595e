"""PyTorch's callables for the operators of exponential, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import native
from opperf.operators import exponential

TABLE = {
    exponential.Log: native("torch.log"),
    exponential.Log2: native("torch.log2"),
    exponential.Log10: native("torch.log10"),
    exponential.Log1p: native("torch.log1p"),
    exponential.Exp: native("torch.exp"),
    exponential.Exp2: native("torch.exp2"),
    exponential.Expm1: native("torch.expm1"),
    exponential.LogAddExp: native("torch.logaddexp"),
    exponential.LogAddExp2: native("torch.logaddexp2"),
}
