"""Bencher Metric Format: a value a measure a benchmark, as `bencher run --adapter json` reads it.

https://bencher.dev/docs/reference/bencher-metric-format; its measure `latency` is in nanoseconds.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from opperf.core.results.identity import digest
from opperf.core.results.metrics import beside_the_time
from opperf.reporting.foreign.benchmark import NANOSECOND, in_unit, name_of, timed

if TYPE_CHECKING:
    from typing import TextIO

    from opperf.core.results.quantity import MetricRecord
    from opperf.core.results.result import Result
    from opperf.reporting.subjects import Run

LONGEST = 1024
"""Characters of a benchmark's name."""
NO_ALERT = "-bencher-ignore"
"""Follows the name of a benchmark whose value is kept and gives no alert."""


def write_bencher(run: Run, stream: TextIO) -> None:
    """Write the measures of each row; one whose time is not reliable gives no alert."""
    document = {benchmark_name(result): measures(result) for result in timed(run)}
    json.dump(document, stream, indent=1, allow_nan=False)
    stream.write("\n")


def benchmark_name(result: Result) -> str:
    """Return the name of a row, with a hash in place of what is beyond the limit."""
    name, most = name_of(result), LONGEST - len(NO_ALERT)
    if len(name) > most:
        end = digest(name)
        name = f"{name[: most - len(end) - 1]}-{end}"
    return name if result.reliable else name + NO_ALERT


def measures(result: Result) -> dict[str, dict[str, float]]:
    """Return the time under the name that Bencher has for it, and all other metrics."""
    others = {metric.name: measure(metric) for metric in beside_the_time(result)}
    return {"latency": latency(result), **others}


def measure(metric: MetricRecord) -> dict[str, float]:
    """Return a metric in its own unit, with the ends of its interval where there is one."""
    low, high = metric.interval or (None, None)
    found = {"value": metric.value, "lower_value": low, "upper_value": high}
    return {key: value for key, value in found.items() if value is not None}


def latency(result: Result) -> dict[str, float]:
    """Return the nanoseconds of a call, with the ends of the interval where there is one."""
    low, high = result.interval or (None, None)
    times = {"value": result.seconds, "lower_value": low, "upper_value": high}
    return {key: in_unit(time, NANOSECOND) for key, time in times.items() if time is not None}
