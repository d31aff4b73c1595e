"""A test's quantities beside its delay: throughput, errors, and the delay of each operator."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.timing.metric import OPERATOR_DELAY, Metric
from opperf.specs.measuring.golden import LARGEST

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from opperf.core.checking.correctness import Comparison
    from opperf.core.frameworks.framework import Framework
    from opperf.core.results.outcome import Outcome

PER = "inference"
PROFILED_SECONDS, MOST_PROFILED = 1.0, 10
"""Seconds of inferences under the profiler, and how many at most."""


def throughput(outcome: Outcome, batch: int | None) -> Iterator[Metric]:
    """Yield the items a second of an inference that has a time, where its batch is known."""
    summary = outcome.summary
    if batch is None or summary is None or summary.median <= 0:
        return
    interval = None
    if summary.interval is not None and summary.interval[0] > 0:
        interval = batch / summary.interval[1], batch / summary.interval[0]
    yield Metric(
        name="throughput", unit="items/s", value=batch / summary.median, better="more", per="",
        interval=interval,
    )  # fmt: skip


def error_metrics(comparison: Comparison) -> Iterator[Metric]:
    """Yield the largest errors of outputs that could be compared with golden ones."""
    yield Metric(name="error", unit="1", value=comparison.max_abs_error, per=PER)
    known = comparison.max_rel_error < LARGEST
    yield Metric(
        name="relative_error", unit="1", value=comparison.max_rel_error if known else None,
        per=PER, reason=None if known else "a golden value is zero and its output not",
    )  # fmt: skip


def operator_metrics(
    framework: Framework, call: Callable[[], object], seconds: float
) -> Iterator[Metric]:
    """Yield the delay of each operator of an inference, and that of the inference meanwhile."""
    steps = min(max(int(PROFILED_SECONDS / max(seconds, 1e-9)), 1), MOST_PROFILED)
    reason = f"{framework.name} does not tell the delay of single operators here"
    try:
        found = framework.operator_times(call, steps)
    except Exception as error:  # noqa: BLE001 - the delay of the net is known all the same
        framework.discard_errors()
        found, reason = None, f"the profiler raised {type(error).__name__}"
    if found is None:
        yield Metric(name="profiled", unit="s", value=None, per=PER, reason=reason)
        return
    times, whole = found
    yield Metric(name="profiled", unit="s", value=whole, better=None, per=PER)
    for name, took in sorted(times.items(), key=lambda item: -item[1]):
        yield Metric(name=f"{OPERATOR_DELAY}{name}", unit="s", value=took, per=PER)
