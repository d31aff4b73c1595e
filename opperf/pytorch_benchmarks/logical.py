"""PyTorch's logic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import built, native
from opperf.operators.logical import bitwise, finiteness, logical

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def all_finite(is_finite: Callable[..., Any], every: Callable[..., Any], data: Any) -> Step:
    """Compose; the answer is kept as an array of one, as MXNet's is."""
    flat = data.reshape(-1)

    def composition() -> Any:
        return every(is_finite(flat), 0, keepdim=True)

    return composition


TABLE = {
    logical.LogicalAnd: native("torch.logical_and"),
    logical.LogicalOr: native("torch.logical_or"),
    logical.LogicalXor: native("torch.logical_xor"),
    logical.LogicalNot: native("torch.logical_not"),
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
}
