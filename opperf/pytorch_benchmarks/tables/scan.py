"""PyTorch's callables for the operators of scan, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built, native
from opperf.operators.scan import differences, scan
from opperf.pytorch_benchmarks.binding.scan import first_along, flat_differences

DIM = {"axis": "dim"}

TABLE = {
    differences.Diff: native("torch.diff", rename=DIM),
    differences.EDiff1D: built("torch.diff", flat_differences),
    differences.Gradient: built("torch.gradient", first_along),
    differences.CumulativeTrapezoid: native("torch.cumulative_trapezoid", rename=DIM),
    differences.Trapezoid: native("torch.trapezoid", rename=DIM),
    scan.CumSum: native("torch.cumsum", rename=DIM),
    scan.CumProd: native("torch.cumprod", rename=DIM),
    scan.LogCumSumExp: native("torch.logcumsumexp", rename=DIM),
    # CumMax: finds the positions as well, as CumMin does.
    scan.CumMax: built("torch.cummax", first_along),
    scan.CumMin: built("torch.cummin", first_along),
}
