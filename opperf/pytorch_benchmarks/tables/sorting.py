"""PyTorch's callables for the operators of sorting, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built, native
from opperf.operators.sorting import counts, sorting
from opperf.pytorch_benchmarks.binding.sorting import histogram, percentile, sort

DIM = {"axis": "dim"}

TABLE = {
    counts.Unique: native("torch.unique"),
    counts.UniqueConsecutive: native("torch.unique_consecutive"),
    counts.Histogram: built("torch.histogram", histogram),
    counts.BinCount: native("torch.bincount"),
    counts.Percentile: built("torch.quantile", percentile),
    counts.KthValue: native("torch.kthvalue", rename=DIM),
    sorting.TopK: native("torch.topk", dim=-1, largest=True, sorted=True),
    sorting.Sort: built("torch.sort", sort),
    sorting.ArgSort: native("torch.argsort", rename=DIM),
    sorting.ArgMax: native("torch.argmax", rename=DIM),
    sorting.MaxWithIndices: native("torch.max", rename=DIM),
    sorting.ArgMin: native("torch.argmin", rename=DIM),
}
