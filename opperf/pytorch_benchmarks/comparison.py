"""PyTorch's comparisons."""

from opperf.core.implementation import native
from opperf.operators import comparison

TABLE = {
    comparison.Lesser: native("torch.lt"),
    comparison.LesserEqual: native("torch.le"),
    comparison.Greater: native("torch.gt"),
    comparison.GreaterEqual: native("torch.ge"),
    comparison.Equal: native("torch.eq"),
    comparison.NotEqual: native("torch.ne"),
}
