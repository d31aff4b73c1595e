"""Benchmark methods as rows: how each ended, and what it reported."""

from __future__ import annotations

from statistics import mean
from typing import TYPE_CHECKING

from opperf.core.units import format_seconds
from opperf.reporting.text import clean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.results.quantity import MetricRecord
    from opperf.core.results.result import Result

NOT_REPORTED = "-1"
"""The wall time of a method that has reported none."""
MEMORY = "rss_peak"


def method_rows(results: Sequence[Result]) -> list[dict[str, object]]:
    """Return a row a method: status, iterations, wall time, and its own metrics."""
    return [
        {
            "method": clean(result.operator.name),
            "status": result.status,
            "iters": result.samples.iterations if result.samples else None,
            "wall_time": wall_time(result),
            "metrics": ", ".join(map(metric_text, own_metrics(result))) or None,
        }
        for result in results
    ]


def wall_time(result: Result) -> str:
    """Return the seconds of all iterations together, as reported, over sessions their mean."""
    return format_seconds(mean(result.samples.seconds)) if result.samples else NOT_REPORTED


def own_metrics(result: Result) -> list[MetricRecord]:
    """Return what the method itself reported, which stands before what its processes took."""
    names = [metric.name for metric in result.metrics]
    end = names.index(MEMORY) if MEMORY in names else len(names)
    return [metric for metric in result.metrics[:end] if metric.value is not None]


def metric_text(metric: MetricRecord) -> str:
    """Return "accuracy 80 (at least 90)"."""
    bounds = [
        f"{words} {bound:g}"
        for words, bound in (("at least", metric.min_value), ("at most", metric.max_value))
        if isinstance(bound, float)
    ]
    return f"{clean(metric.name)} {metric.value:g}" + (f" ({', '.join(bounds)})" if bounds else "")
