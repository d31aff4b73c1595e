"""PyTorch's callables for the operators of reduction, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built, native
from opperf.operators.reduction import layouts, missing, moments, reduction, selection
from opperf.pytorch_benchmarks.binding.reduction import mean_first, product_of_numbers, square_sums
from opperf.pytorch_benchmarks.binding.scan import first_along

DIM = {"axis": "dim"}

TABLE = {
    layouts.SumColumns: native("torch.sum", rename=DIM),
    layouts.SumTransposed: native("torch.sum", rename=DIM),
    missing.NanSum: native("torch.nansum", rename=DIM),
    missing.NanMean: native("torch.nanmean", rename=DIM),
    missing.NanProd: built("torch.nan_to_num + torch.prod", product_of_numbers),
    # NanMedian: the lower of two medians, here and of Median.
    missing.NanMedian: built("torch.nanmedian", first_along),
    moments.Variance: native("torch.var", rename=DIM, correction=0),
    moments.StandardDeviation: native("torch.std", rename=DIM, correction=0),
    moments.Moments: built("torch.var_mean", mean_first),
    moments.StdMean: native("torch.std_mean", rename=DIM, correction=0),
    moments.LogSumExp: native("torch.logsumexp", rename=DIM),
    # Sum: the backward is a view that repeats the cotangent.
    reduction.Sum: native("torch.sum", rename=DIM),
    reduction.Mean: native("torch.mean", rename=DIM),
    reduction.Prod: native("torch.prod", rename=DIM),
    reduction.Norm: native("torch.linalg.vector_norm", rename=DIM),
    # Max: equal elements share the gradient, here and of Min.
    reduction.Max: native("torch.amax", rename=DIM),
    reduction.Min: native("torch.amin", rename=DIM),
    selection.All: native("torch.all", rename=DIM),
    selection.Any: native("torch.any", rename=DIM),
    selection.CountNonzero: native("torch.count_nonzero", rename=DIM),
    selection.AMinMax: native("torch.aminmax", rename=DIM),
    # Median: finds the positions as well.
    selection.Median: built("torch.median", first_along),
    selection.Mode: built("torch.mode", first_along),
    selection.Quantile: native("torch.quantile", rename=DIM),
    selection.MultiSumSq: built("torch._foreach_norm + torch.stack + torch.square", square_sums),
}
