"""PyTorch's callables for the operators of comparison, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built, native
from opperf.operators.comparison import comparison, thresholds
from opperf.pytorch_benchmarks.binding.comparison import all_close

OTHER = {"scalar": "other"}

TABLE = {
    comparison.Lesser: native("torch.lt"),
    comparison.LesserEqual: native("torch.le"),
    comparison.Greater: native("torch.gt"),
    comparison.GreaterEqual: native("torch.ge"),
    comparison.Equal: native("torch.eq"),
    comparison.NotEqual: native("torch.ne"),
    comparison.IsClose: native("torch.isclose"),
    comparison.AllClose: built("torch.isclose + torch.all", all_close),
    comparison.IsIn: native("torch.isin"),
    thresholds.LesserScalar: native("torch.lt", rename=OTHER),
    thresholds.LesserEqualScalar: native("torch.le", rename=OTHER),
    thresholds.GreaterScalar: native("torch.gt", rename=OTHER),
    thresholds.GreaterEqualScalar: native("torch.ge", rename=OTHER),
    thresholds.EqualScalar: native("torch.eq", rename=OTHER),
    thresholds.NotEqualScalar: native("torch.ne", rename=OTHER),
}
