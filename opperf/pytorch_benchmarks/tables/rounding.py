"""PyTorch's callables for the operators of rounding, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built, native
from opperf.operators import rounding
from opperf.pytorch_benchmarks.binding.rounding import half_down, limit

TABLE = {
    rounding.Clip: built("torch.clamp", limit),
    rounding.ClampMin: built("torch.clamp_min", limit),
    rounding.ClampMax: built("torch.clamp_max", limit),
    rounding.Floor: native("torch.floor"),
    rounding.Ceil: native("torch.ceil"),
    rounding.Trunc: native("torch.trunc"),
    # Round: halves are rounded to even.
    rounding.Round: native("torch.round"),
    rounding.Rint: built("torch.sub + torch.ceil", half_down),
    rounding.RoundDecimals: native("torch.round"),
    rounding.Frac: native("torch.frac"),
}
