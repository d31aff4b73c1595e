"""PyTorch's callables of the category graph, and what they cannot do."""

from __future__ import annotations

from opperf.operators import graph
from opperf.pytorch_benchmarks.binding.graph import reduction

TABLE = {
    graph.SegmentSum: reduction("sum"),
    graph.SegmentMax: reduction("max"),
}
