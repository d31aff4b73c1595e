"""PyTorch's callables for the operators of logical, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import Absent, built, native
from opperf.operators.logical import bitwise, finiteness, logical
from opperf.pytorch_benchmarks.binding.logical import all_finite

TABLE = {
    bitwise.BitwiseAnd: native("torch.bitwise_and"),
    bitwise.BitwiseOr: native("torch.bitwise_or"),
    bitwise.BitwiseXor: native("torch.bitwise_xor"),
    bitwise.BitwiseNot: native("torch.bitwise_not"),
    bitwise.LeftShift: native("torch.bitwise_left_shift"),
    bitwise.RightShift: native("torch.bitwise_right_shift"),
    finiteness.IsNaN: native("torch.isnan"),
    finiteness.IsInf: native("torch.isinf"),
    finiteness.IsFinite: native("torch.isfinite"),
    finiteness.IsPosInf: native("torch.isposinf"),
    finiteness.IsNegInf: native("torch.isneginf"),
    finiteness.NanToNum: native("torch.nan_to_num"),
    finiteness.AllFinite: built("torch.isfinite + torch.all", all_finite),
    finiteness.MultiAllFinite: Absent("its gradient scaler scales the tensors that it checks"),
    logical.LogicalAnd: native("torch.logical_and"),
    logical.ILogicalAnd: native("torch.Tensor.logical_and_"),
    logical.LogicalOr: native("torch.logical_or"),
    logical.LogicalXor: native("torch.logical_xor"),
    logical.LogicalNot: native("torch.logical_not"),
}
