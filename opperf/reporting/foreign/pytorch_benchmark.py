"""Records of the PyTorch OSS benchmark database, schema v3, a metric each.

https://github.com/pytorch/pytorch/wiki/PyTorch-OSS-benchmark-infra; its columns are those of
clickhouse_db_schema/benchmark.oss_ci_benchmark_v3 in pytorch/test-infra. The uploader there adds
what it knows of the workflow (repo, branch, commit, job). Every `extra_info` maps texts to texts.
What is not known is left out, as all but `benchmark.name`, `model.name` and `metric` may be.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from opperf.core.moments import from_iso
from opperf.core.results.metrics import beside_the_time
from opperf.reporting.foreign.benchmark import MICROSECOND, in_unit, name_of, timed
from opperf.reporting.text import clean
from opperf.reporting.wording import attributes_text, dtypes, value_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any, TextIO

    from opperf.core.results.result import Result
    from opperf.reporting.subjects import Run

NAME = "opperf"
"""That of the benchmark: what the database's dashboards are chosen by."""
FACTS = ("category", "direction", "size", "device", "threads", "cache", "fused", "implementation")


def write_pytorch_benchmark(run: Run, stream: TextIO) -> None:
    """Write a record a metric of each row: the median in microseconds, then all others."""
    found = [record(result, metric) for result in timed(run) for metric in metrics(result)]
    json.dump(found, stream, indent=1, allow_nan=False)
    stream.write("\n")


def record(result: Result, metric: Mapping[str, Any]) -> dict[str, Any]:
    """Return a metric of a row as a record of the database."""
    operator, facts = result.operator, result.environment
    packages = facts.get("packages") or {}
    return {
        "timestamp": int(from_iso(result.started_at).timestamp()),
        "schema_version": "v3",
        "benchmark": {
            "name": NAME,
            "mode": "inference" if operator.direction == "forward" else "training",
            "dtype": " ".join(dtypes(result)),
            "extra_info": texts({name: getattr(operator, name) for name in FACTS}),
        },
        "model": {
            "name": name_of(result),
            "type": "operator",
            "backend": operator.framework,
            "origins": [NAME],
            "extra_info": texts(
                {
                    "operator": clean(operator.name),
                    "attributes": attributes_text(result.attributes),
                }
            ),
        },
        "inputs": {
            item.name: {
                "dtype": item.dtype,
                "extra_info": texts({"shape": value_text(item.shape)}),
            }
            for item in result.inputs
        },
        "metric": metric,
        "runners": [runner(facts, operator.device)],
        "dependencies": {
            name: {"version": version}
            for name, version in {**packages, "opperf": result.opperf_version}.items()
            if version
        },
    }


def metrics(result: Result) -> Iterator[dict[str, Any]]:
    """Yield the median as a metric, then all others; there is no target to reach."""
    yield latency(result)
    for metric in beside_the_time(result):
        low, high = metric.interval or (None, None)
        known = {
            "unit": metric.unit,
            "low": low,
            "high": high,
            "status": result.status,
            "result_id": result.result_id,
        }
        yield {
            "name": metric.name,
            "benchmark_values": [metric.value],
            "extra_info": texts(known),
        }


def latency(result: Result) -> dict[str, Any]:
    """Return the median as the metric that has its name there."""
    low, high = [in_unit(end, MICROSECOND) for end in result.interval or ()] or (None, None)
    return {
        "name": "latency",
        "benchmark_values": [in_unit(result.seconds or 0.0, MICROSECOND)],
        "extra_info": texts(
            {
                "unit": "us",
                "low": low,
                "high": high,
                "samples": result.summary and result.summary.n,
                "status": result.status,
                "reliable": result.reliable,
                "result_id": result.result_id,
            }
        ),
    }


def runner(facts: Mapping[str, Any], device: str) -> dict[str, Any]:
    """Return the machine: `name` is the kind of device, `type` the model of it."""
    gpus, memory = facts.get("gpu") or [], facts.get("memory_bytes")
    on_gpu = device != "cpu"
    known = {
        "name": "cuda" if on_gpu else "cpu",
        "type": gpus[0] if on_gpu and gpus else facts.get("cpu"),
        "cpu_info": facts.get("architecture"),
        "cpu_count": facts.get("cores"),
        "avail_mem_in_gb": memory // 2**30 if memory else None,
        "gpu_info": gpus[0] if gpus else None,
        "gpu_count": len(gpus) or None,
        "extra_info": texts({"machine_key": facts.get("machine_key")}),
    }
    return {name: value for name, value in known.items() if value is not None}


def texts(facts: Mapping[str, object]) -> dict[str, str]:
    """Return the facts that are known, as texts: truths as "true" and "false"."""
    return {
        name: str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in facts.items()
        if value not in (None, "")
    }
