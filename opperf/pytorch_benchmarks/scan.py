"""PyTorch's scans."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import built, native
from opperf.operators.scan import differences, scan

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step

DIM = {"axis": "dim"}


def first_of(call: Callable[..., Any], data: Any, *, axis: int) -> Step:
    """Compose: of several results the first is kept, where others would be dropped."""

    def composition() -> Any:
        return call(data, dim=axis)[0]

    return composition


def flat_differences(call: Callable[..., Any], data: Any) -> Step:
    """Differences of a view as one row."""
    return lambda: call(data.view(-1))


TABLE = {
    scan.CumSum: native("torch.cumsum", rename=DIM),
    scan.CumProd: native("torch.cumprod", rename=DIM),
    scan.LogCumSumExp: native("torch.logcumsumexp", rename=DIM),
    scan.CumMax: built("torch.cummax", first_of),
    scan.CumMin: built("torch.cummin", first_of),
    differences.Diff: native("torch.diff", rename=DIM),
    differences.EDiff1D: built("torch.diff", flat_differences),
    differences.Gradient: built("torch.gradient", first_of),
    differences.CumulativeTrapezoid: native("torch.cumulative_trapezoid", rename=DIM),
    differences.Trapezoid: native("torch.trapezoid", rename=DIM),
}
