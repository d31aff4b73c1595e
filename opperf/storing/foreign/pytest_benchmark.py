"""pytest-benchmark's JSON: written so that its own `compare` reads it, and read.

Its times are seconds per call; `data` holds them all where it was asked for.
"""

from __future__ import annotations

import json
from statistics import quantiles, stdev
from typing import TYPE_CHECKING, Any

from opperf.core.results.circumstances import unusual
from opperf.core.results.result import digest
from opperf.core.version import VERSION
from opperf.history.statistics import net_times
from opperf.storing.foreign.measure import Measure, Origin

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opperf.core.results.result import Result

TOOL = "pytest-benchmark"
FAR = 1.5
"""Quartile distances beyond the quartiles from which pytest-benchmark calls a time an outlier."""


def is_ours(document: object) -> bool:
    """Return whether a document has this form."""
    return isinstance(document, dict) and "benchmarks" in document and "machine_info" in document


def read(document: dict[str, Any], run: str) -> Iterator[tuple[Measure, Origin]]:
    """Yield the benchmarks of a document."""
    machine = document["machine_info"]
    cpu = machine.get("cpu")
    brand = cpu.get("brand_raw", "unknown") if isinstance(cpu, dict) else "unknown"
    origin = Origin(
        tool=TOOL,
        run=run,
        at=document["datetime"],
        machine=digest([machine.get("node"), brand]),
        cpu=brand,
        packages={"python": str(machine.get("python_version"))},
    )
    for benchmark in document["benchmarks"]:
        stats = benchmark["stats"]
        measure = Measure(
            name=benchmark["fullname"],
            framework="python",
            direction="forward",
            attributes=benchmark.get("params") or {},
            seconds=stats.get("data") or [stats["median"]],
        )
        yield measure, origin


def write(results: Sequence[Result]) -> str:
    """Return the document of results that have a time; all others have no place in it."""
    timed = [result for result in results if result.seconds is not None]
    facts = timed[0].environment if timed else {}
    document = {
        "machine_info": {
            "node": str(facts.get("machine_key")),
            "processor": str(facts.get("cpu")),
            "machine": str(facts.get("architecture")),
            "python_version": str((facts.get("python") or {}).get("version")),
            "cpu": {"brand_raw": str(facts.get("cpu"))},
        },
        "commit_info": {},
        "benchmarks": [benchmark(result) for result in timed],
        "datetime": timed[0].started_at if timed else None,
        "version": f"opperf {VERSION}",
    }
    return json.dumps(document, indent=1, allow_nan=False) + "\n"


def benchmark(result: Result) -> dict[str, Any]:
    """Return a result as a benchmark."""
    operator = result.operator
    names = ("name", "framework", "direction", "device", "size", "threads", "cache", "fused")
    given = [f"{item['name']}={item['shape']}{item['dtype']}" for item in result.inputs]
    parts = [str(operator[name]) for name in names if operator.get(name) is not None]
    parts += [f"{name}={value}" for name, value in unusual(operator).items()]
    fullname = "-".join([*parts, *given, *(f"{k}={v}" for k, v in result.attributes.items())])
    return {
        "group": operator["name"],
        "name": f"{operator['name']}[{operator['framework']}-{operator['direction']}]",
        "fullname": fullname,
        "params": None,
        "param": None,
        "extra_info": {"result_id": result.result_id, "status": result.status},
        "options": {"disable_gc": False, "timer": "perf_counter", "warmup": True},
        "stats": stats(result),
    }


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
        "iterations": (result.samples or {}).get("iterations", 1),
        "data": net_times(result),
    }  # fmt: skip
