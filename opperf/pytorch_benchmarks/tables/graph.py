"""PyTorch's callables for the operators of graph, and their limitations."""

from __future__ import annotations

from opperf.operators import graph
from opperf.pytorch_benchmarks.binding.graph import reduction

TABLE = {
    graph.SegmentSum: reduction("sum"),
    graph.SegmentMax: reduction("max"),
}
