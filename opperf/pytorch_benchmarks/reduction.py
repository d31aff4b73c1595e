"""PyTorch's reductions."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import built, native
from opperf.operators.reduction import layouts as reduction_layouts
from opperf.operators.reduction import missing, moments, reduction, selection
from opperf.pytorch_benchmarks.scan import first_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step

DIM = {"axis": "dim"}


def mean_first(call: Callable[..., Any], data: Any, *, axis: int) -> Step:
    """Compose: torch returns the variance before the mean."""

    def composition() -> Any:
        variance, mean = call(data, dim=axis, correction=0)
        return mean, variance

    return composition


def product_of_numbers(
    replace: Callable[..., Any], multiply: Callable[..., Any], data: Any, *, axis: int
) -> Step:
    """NaN -> 1, infinities kept -> product."""
    options = {"nan": 1.0, "posinf": inf, "neginf": -inf}
    return lambda: multiply(replace(data, **options), axis)


def square_sums(
    lengths: Callable[..., Any], stack: Callable[..., Any], square: Callable[..., Any],
    *tensors: Any,
) -> Step:  # fmt: skip
    """Norms of all tensors in one call -> stack -> square."""
    return lambda: square(stack(lengths(tensors)))


TABLE = {
    reduction.Sum: native("torch.sum", rename=DIM),
    reduction.Mean: native("torch.mean", rename=DIM),
    reduction.Prod: native("torch.prod", rename=DIM),
    reduction.Norm: native("torch.linalg.vector_norm", rename=DIM),
    reduction.Max: native("torch.amax", rename=DIM),
    reduction.Min: native("torch.amin", rename=DIM),
    missing.NanSum: native("torch.nansum", rename=DIM),
    missing.NanProd: built("torch.nan_to_num + torch.prod", product_of_numbers),
    missing.NanMean: native("torch.nanmean", rename=DIM),
    missing.NanMedian: built("torch.nanmedian", first_of),
    moments.Variance: native("torch.var", rename=DIM, correction=0),
    moments.StandardDeviation: native("torch.std", rename=DIM, correction=0),
    moments.Moments: built("torch.var_mean", mean_first),
    moments.StdMean: native("torch.std_mean", rename=DIM, correction=0),
    moments.LogSumExp: native("torch.logsumexp", rename=DIM),
    selection.All: native("torch.all", rename=DIM),
    selection.Any: native("torch.any", rename=DIM),
    selection.CountNonzero: native("torch.count_nonzero", rename=DIM),
    selection.AMinMax: native("torch.aminmax", rename=DIM),
    selection.MultiSumSq: built("torch._foreach_norm + torch.stack + torch.square", square_sums),
    selection.Median: built("torch.median", first_of),
    selection.Mode: built("torch.mode", first_of),
    selection.Quantile: native("torch.quantile", rename=DIM),
    reduction_layouts.SumColumns: native("torch.sum", rename=DIM),
    reduction_layouts.SumTransposed: native("torch.sum", rename=DIM),
}
