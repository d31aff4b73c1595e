"""pytest-benchmark's JSON, so that its own `compare` reads it. Its times are seconds per call."""

from __future__ import annotations

import json
from statistics import quantiles, stdev
from typing import TYPE_CHECKING

from opperf.core.results.metrics import beside_the_time
from opperf.core.version import VERSION
from opperf.history.statistics import net_times
from opperf.reporting.foreign.benchmark import name_of, timed
from opperf.reporting.text import clean

if TYPE_CHECKING:
    from typing import Any, TextIO

    from opperf.core.results.result import Result
    from opperf.reporting.subjects import Run

CALLABLE = "python"
"""The framework of a callable, which has the name of its test as it is pytest-benchmark's."""
FAR = 1.5
"""Quartile distances beyond the quartiles from which pytest-benchmark calls a time an outlier."""


def write_pytest_benchmark(run: Run, stream: TextIO) -> None:
    """Write the results that have a time; all others have no place in it."""
    results = timed(run)
    facts = results[0].environment if results else {}
    document = {
        "machine_info": {
            "node": str(facts.get("machine_key")),
            "processor": str(facts.get("cpu")),
            "machine": str(facts.get("architecture")),
            "python_version": str((facts.get("python") or {}).get("version")),
            "cpu": {"brand_raw": str(facts.get("cpu"))},
        },
        "commit_info": {},
        "benchmarks": [benchmark(result) for result in results],
        "datetime": results[0].started_at if results else None,
        "version": f"opperf {VERSION}",
    }
    stream.write(json.dumps(document, indent=1, allow_nan=False) + "\n")


def benchmark(result: Result) -> dict[str, Any]:
    """Return a result as a benchmark."""
    metrics = {metric.name: metric.value for metric in beside_the_time(result)}
    return {
        **names(result),
        "params": None,
        "param": None,
        "extra_info": {**metrics, "result_id": result.result_id, "status": result.status},
        "options": {"disable_gc": False, "timer": "perf_counter", "warmup": True},
        "stats": stats(result),
    }


def names(result: Result) -> dict[str, str | None]:
    """Return what a result is called: as its test where it is of a callable, else as its row."""
    operator = result.operator
    name = clean(operator.name)
    if operator.framework == CALLABLE:
        return {"group": None, "name": name.rpartition("::")[2], "fullname": name}
    row = clean(f"{operator.name}[{operator.framework}-{operator.direction}]")
    return {"group": name, "name": row, "fullname": name_of(result)}


def stats(result: Result) -> dict[str, Any]:
    """Return the statistics that pytest-benchmark shows, of the samples as of its own."""
    times = sorted(net_times(result)) or [result.seconds or 0.0]
    median = result.seconds or 0.0
    low, _, high = quantiles(times, n=4, method="inclusive") if len(times) > 1 else times * 3
    mean, spread = sum(times) / len(times), stdev(times) if len(times) > 1 else 0.0
    reach = FAR * (high - low)
    near = [time for time in times if low - reach <= time <= high + reach]
    beyond = sum(abs(time - mean) > spread for time in times)
    return {
        "min": times[0], "max": times[-1], "mean": mean, "stddev": spread,
        "rounds": len(times), "median": median, "iqr": high - low, "q1": low, "q3": high,
        "iqr_outliers": len(times) - len(near), "stddev_outliers": beyond,
        "outliers": f"{beyond};{len(times) - len(near)}",
        "ld15iqr": near[0], "hd15iqr": near[-1],
        "ops": 1 / mean if mean else 0.0, "total": sum(times),
        "iterations": result.samples.iterations if result.samples else 1,
        "data": net_times(result),
    }  # fmt: skip
