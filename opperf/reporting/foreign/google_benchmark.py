"""Google Benchmark's JSON, as its tools/compare.py reads it: `context` and a list `benchmarks`.

https://github.com/google/benchmark/blob/main/docs/user_guide.md#output-formats, schema version 1.
compare.py joins rows by `name` and `time_unit` and takes whatever it finds for a time, rows with
`error_occurred` included. So what has no time has no row, and is counted in the context.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from opperf.core.results.metrics import beside_the_time
from opperf.core.units import COUNT
from opperf.core.version import VERSION
from opperf.reporting.foreign.benchmark import NANOSECOND, in_unit, name_of, timed
from opperf.reporting.wording import counts_text, status_text

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TextIO

    from opperf.core.results.result import Result
    from opperf.reporting.subjects import Run

CACHES = {"L1d": ("Data", 1), "L2": ("Unified", 2), "L3": ("Unified", 3)}
CPU_TIME = "repeats real_time, which is wall-clock or GPU time: opperf measures no processor time"


def write_google_benchmark(run: Run, stream: TextIO) -> None:
    """Write an iteration row a result, its time the median.

    The samples are no repetitions of it: compare.py's U test takes those for independent, and those
    of one process are not.
    """
    rows = [row(result, index) for index, result in enumerate(timed(run))]
    json.dump({"context": context(run), "benchmarks": rows}, stream, indent=1, allow_nan=False)
    stream.write("\n")


def context(run: Run) -> dict[str, Any]:
    """Return where and when it was measured, without the fields that nothing is known of."""
    first = next(iter(run.results), None)
    facts = first.environment if first else {}
    without = [result.status for result in run.results if result.seconds is None]
    known = {
        "date": first.started_at if first else None,
        "host_name": facts.get("machine_key"),
        "num_cpus": facts.get("cores"),
        "caches": caches(facts.get("caches") or {}) or None,
        "cpu": facts.get("cpu"),
        "left_out": f"without a time: {counts_text(without)}" if without else None,
    }
    return {
        "executable": "opperf",
        "run": run.name,
        "library_version": f"opperf {first.opperf_version if first else VERSION}",
        "json_schema_version": 1,
        "cpu_time": CPU_TIME,
        **{name: value for name, value in known.items() if value is not None},
    }


def caches(sizes: Mapping[str, int | None]) -> list[dict[str, Any]]:
    """Return the caches of known size."""
    return [
        {"type": kind, "level": level, "size": sizes[name]}
        for name, (kind, level) in CACHES.items()
        if sizes.get(name)
    ]


def counters(result: Result) -> dict[str, float]:
    """Return the metrics beside the time, as the tool has a user's own counters: by their names."""
    return {
        f"{metric.name}_{metric.unit}" if metric.unit != COUNT else metric.name: metric.value
        for metric in beside_the_time(result)
        if metric.value is not None
    }


def row(result: Result, index: int) -> dict[str, Any]:
    """Return a result as one repetition; a label says where its time is not reliable."""
    name, time = name_of(result), in_unit(result.seconds or 0.0, NANOSECOND)
    iterations = result.samples.iterations if result.samples else 1
    n = result.summary.n if result.summary else 1
    return {
        "name": name,
        "family_index": index,
        "per_family_instance_index": 0,
        "run_name": name,
        "run_type": "iteration",
        "repetitions": 1,
        "repetition_index": 0,
        "threads": result.operator.threads or 1,
        "iterations": iterations * n,
        "real_time": time,
        "cpu_time": time,
        "time_unit": "ns",
        **counters(result),
        **({} if result.reliable else {"label": f"{status_text(result)}, not reliable"}),
    }
