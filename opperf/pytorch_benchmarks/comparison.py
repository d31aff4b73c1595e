"""PyTorch's comparisons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import built, native
from opperf.operators.comparison import comparison, thresholds

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def all_close(
    close: Callable[..., Any], every: Callable[..., Any], lhs: Any, rhs: Any, **limits: float
) -> Step:
    """Compose what torch.allclose is made of, which returns no tensor but the truth itself."""

    def composition() -> Any:
        return every(close(lhs, rhs, **limits))

    return composition


OTHER = {"scalar": "other"}
TABLE = {
    comparison.Lesser: native("torch.lt"),
    comparison.LesserEqual: native("torch.le"),
    comparison.Greater: native("torch.gt"),
    comparison.GreaterEqual: native("torch.ge"),
    comparison.Equal: native("torch.eq"),
    comparison.NotEqual: native("torch.ne"),
    thresholds.LesserScalar: native("torch.lt", rename=OTHER),
    thresholds.LesserEqualScalar: native("torch.le", rename=OTHER),
    thresholds.GreaterScalar: native("torch.gt", rename=OTHER),
    thresholds.GreaterEqualScalar: native("torch.ge", rename=OTHER),
    thresholds.EqualScalar: native("torch.eq", rename=OTHER),
    thresholds.NotEqualScalar: native("torch.ne", rename=OTHER),
    comparison.IsIn: native("torch.isin"),
    comparison.IsClose: native("torch.isclose"),
    comparison.AllClose: built("torch.isclose + torch.all", all_close),
}
