"""What a benchmark method reports: checked as it is reported, and judged by its bounds.

The process of the method imports this module: it needs the standard library only.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import inf, isnan
from typing import Any

from opperf.core.errors import UsageError, quote

MOST_METRICS, LONGEST_NAME = 10_000, 200
MOST_ITERATIONS = 2**62
UNITS = {"cpu_time": "s", "throughput": "1/s"}
"""Of what has an argument of its own; nobody knows the units of other metrics."""


@dataclass(frozen=True, kw_only=True)
class MethodMetric:
    """A value by its name, what it must not lie beyond, and what the method says of it itself."""

    name: str
    value: float | None = None
    min_value: float | None = None
    max_value: float | None = None
    succeeded: bool | None = None
    description: str | None = None
    unit: str = "1"

    def fault(self) -> str | None:
        """Return why the method fails by it, None where it does not. NaN fails without bounds."""
        if self.succeeded is False:
            return f"{self.name} did not succeed" + (
                f": {self.description}" if self.description else ""
            )
        if self.value is None:
            return f"{self.name} has bounds and no value" if self.is_bounded else None
        if isnan(self.value):
            return f"{self.name} is nan"
        return self.broken_bound(self.value)

    @property
    def is_bounded(self) -> bool:
        """Whether there is anything that it must not lie beyond."""
        return {self.min_value, self.max_value} != {None}

    def broken_bound(self, value: float) -> str | None:
        """Return which bound it lies beyond; everything lies beyond NaN."""
        if self.min_value is not None and not value >= self.min_value:
            return f"{self.name} is {value:g}, must be at least {self.min_value:g}"
        if self.max_value is not None and not value <= self.max_value:
            return f"{self.name} is {value:g}, must be at most {self.max_value:g}"
        return None


@dataclass(frozen=True, kw_only=True)
class MethodReport:
    """What a method has found; None of iterations or seconds that it does not know."""

    iterations: int | None = None
    wall_time: float | None = None
    metrics: tuple[MethodMetric, ...] = ()

    @property
    def seconds(self) -> float | None:
        """The wall time where it is one: above zero, and finite."""
        known = self.wall_time is not None and 0 < self.wall_time < inf
        return self.wall_time if known else None

    def faults(self) -> list[str]:
        """Return why the method fails by its metrics, a line each."""
        return [fault for metric in self.metrics if (fault := metric.fault())]


def make_report(fields: Mapping[str, Any]) -> MethodReport:
    """Return the report that the arguments of a `report_benchmark` stand for.

    Iterations and seconds below zero, as TensorFlow has them, say that nobody knows.

    Raises:
        UsageError: which is a ValueError; an argument is not what it must be.
    """
    seconds = number(fields.get("wall_time"), "wall_time")
    metrics = [*listed_metrics(fields.get("metrics")), *extra_metrics(fields.get("extras"))]
    for name, unit in UNITS.items():
        value = number(fields.get(name), name)
        if value is not None:
            metrics.append(MethodMetric(name=name, value=value, unit=unit))
    by_name = {metric.name: metric for metric in metrics}
    if len(by_name) < len(metrics):
        twice = next(each.name for each in metrics if by_name[each.name] is not each)
        raise UsageError(f"report_benchmark: metric {quote(twice)} is given twice")
    if len(metrics) > MOST_METRICS:
        raise UsageError(f"report_benchmark: {len(metrics)} metrics; at most {MOST_METRICS}")
    return MethodReport(
        iterations=count(fields.get("iters")),
        wall_time=None if seconds is None or not seconds >= 0 else seconds,
        metrics=tuple(metrics),
    )


def listed_metrics(metrics: object) -> list[MethodMetric]:
    """Return the metrics of a list of objects with `name` and `value`."""
    if metrics is None:
        return []
    if isinstance(metrics, (str, Mapping)) or not isinstance(metrics, Iterable):
        rule = "must be a list of objects"
        raise UsageError(f"report_benchmark: metrics={quote(metrics)}: {rule}")
    return [metric_of(entry) for entry in metrics]


def metric_of(entry: object) -> MethodMetric:
    """Return the metric that one object of the list stands for."""
    if not isinstance(entry, Mapping) or "name" not in entry or "value" not in entry:
        raise UsageError(
            f"report_benchmark: metric {quote(entry)}: must be an object with name and value"
        )
    name = name_of(entry["name"])
    return MethodMetric(
        name=name,
        value=number(entry["value"], name),
        min_value=number(entry.get("min_value"), f"min_value of {name}"),
        max_value=number(entry.get("max_value"), f"max_value of {name}"),
    )


def extra_metrics(extras: object) -> list[MethodMetric]:
    """Return the metrics of a mapping of names to numbers or to JSON texts."""
    if extras is None:
        return []
    if not isinstance(extras, Mapping):
        raise UsageError(f"report_benchmark: extras must be a dict, not {quote(extras)}")
    return [extra_metric(name_of(name), value) for name, value in extras.items()]


def extra_metric(name: str, value: object) -> MethodMetric:
    """Return the metric of one extra; a text that is no such JSON is its description."""
    if not isinstance(value, (str, bytes)):
        return MethodMetric(name=name, value=number(value, name))
    text = value if isinstance(value, str) else value.decode(errors="replace")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or "value" not in found:
        return MethodMetric(name=name, description=text)
    succeeded, description = found.get("succeeded"), found.get("description")
    return MethodMetric(
        name=name,
        value=number(found["value"], name),
        succeeded=None if succeeded is None else bool(succeeded),
        description=None if description is None else str(description),
    )


def name_of(name: object) -> str:
    """Return the name of a metric."""
    if not isinstance(name, str) or not 0 < len(name) <= LONGEST_NAME:
        rule = f"must be a text of 1 to {LONGEST_NAME} characters"
        raise UsageError(f"report_benchmark: metric name {quote(name)}: {rule}")
    return name


def number(value: Any, name: str) -> float | None:
    """Return a number, of NumPy or a framework as well, None for None."""
    if value is None:
        return None
    rule = f"report_benchmark: {name}={quote(value)}: must be a number or None"
    if isinstance(value, (str, bytes)):
        raise UsageError(rule)
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise UsageError(rule) from None


def count(value: Any) -> int | None:
    """Return a number of iterations; None, and what is below one, say that nobody knows."""
    found = number(value, "iters")
    if found is None or found < 1:
        return None
    if not found.is_integer() or found > MOST_ITERATIONS:
        rule = "must be a whole number below 2**62, or None"
        raise UsageError(f"report_benchmark: iters={quote(value)}: {rule}")
    return int(found)
