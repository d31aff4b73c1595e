"""The summary of a run as PerfZero writes it: one JSON object with all of its keys."""

from __future__ import annotations

import json
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from opperf.core.environment.revision import checkout_facts
from opperf.core.errors import UsageError, quote_path
from opperf.methods.run import LOG

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.methods.report import MethodMetric
    from opperf.methods.run import MethodRun
    from opperf.watching.usage import Usage

HARNESS = "opperf"
NAME = "summary.json"
COMPLETED = "Benchmark execution completed with summary:"
NOT_CALLED = -1
"""The wall time where nobody has reported one."""


@dataclass(frozen=True, kw_only=True)
class SummaryLabels:
    """What a summary says because it was told: names, and folders that may be checkouts."""

    execution_label: str | None = None
    system_name: str | None = None
    platform_name: str | None = None
    build_label: str | None = None
    python_paths: Sequence[str] = ()
    edited: Sequence[str] = ()
    output_url: str | None = None


def summary_of(run: MethodRun, labels: SummaryLabels) -> dict[str, Any]:
    """Return the summary; null stands for what is not known."""
    framework = run.answered.framework
    return {
        "ml_framework_info": {
            "version": framework.version,
            "name": framework.name,
            "build_label": labels.build_label,
            "build_version": framework.commit,
        },
        "execution_timestamp": run.moment,
        "execution_id": run.execution_id,
        "benchmark_info": {
            "output_url": labels.output_url or run.folder.absolute().as_uri(),
            "has_exception": run.verdict.exception,
            "site_package_info": site_packages(labels),
            "harness_name": HARNESS,
            "harness_info": checkout_facts(),
            "execution_label": labels.execution_label,
            **profiler_data(run),
        },
        "system_info": system_info(run.environment, labels),
        "process_info": process_info(run.ending.usage),
        "benchmark_result": result_info(run),
    }


def write_summary(run: MethodRun, labels: SummaryLabels) -> dict[str, Any]:
    """Return a run's summary, written to a file of its own and to the end of the log.

    Raises:
        UsageError: it cannot be written.
    """
    summary = summary_of(run, labels)
    text = json.dumps(summary, indent=2, allow_nan=False)
    try:
        (run.folder / NAME).write_text(f"{text}\n", encoding="utf-8")
        with (run.folder / LOG).open("a", encoding="utf-8") as file:
            file.write(f"{COMPLETED}\n{text}\n")
    except OSError as error:
        raise UsageError(f"cannot write {quote_path(run.folder)}: {error.strerror}") from error
    return summary


def profiler_data(run: MethodRun) -> dict[str, Any]:
    """Return the traces of each window, where there were to be any, by their paths."""
    if not run.windows:
        return {}
    return {
        "profiler_data": [
            {
                "window": trace.window,
                "framework": trace.framework,
                "file": str(path) if (path := run.trace_path(trace)) else None,
                "reason": trace.reason,
            }
            for trace in run.answered.traces
        ]
    }


def site_packages(labels: SummaryLabels) -> dict[str, dict[str, str | bool | None]]:
    """Return address, branch and commit of each folder of modules that is a checkout of git.

    One that was edited since says so: what ran is not its commit.
    """
    found = {Path(folder).name: checkout_facts(Path(folder)) for folder in labels.python_paths}
    return {
        name: {**facts, **({"local_edits": True} if name in labels.edited else {})}
        for name, facts in found.items()
        if facts["hash"]
    }


def system_info(facts: Mapping[str, Any], labels: SummaryLabels) -> dict[str, Any]:
    """Return the machine."""
    gpus = facts["gpu"] or []
    return {
        "system_name": labels.system_name,
        "accelerator_count": len(gpus),
        "physical_cpu_count": facts["physical_cores"],
        "logical_cpu_count": facts["cores"],
        "cpu_socket_count": facts["sockets"],
        "platform_name": labels.platform_name,
        "accelerator_model": gpus[0] if gpus else None,
        "accelerator_driver_version": facts["driver"],
        "cpu_model": facts["cpu"],
    }


def process_info(usage: Usage) -> dict[str, float | None]:
    """Return the most that all of a method's processes took at once."""
    return {
        "max_rss": usage.peak_rss,
        "max_vms": usage.peak_vms,
        "max_cpu_percent": usage.peak_cpu_percent,
    }


def result_info(run: MethodRun) -> dict[str, Any]:
    """Return what the method reported, and whether it succeeded."""
    report = run.answered.read_report()
    seconds = report.wall_time
    return {
        "metrics": [metric_info(metric) for metric in report.metrics],
        "name": run.name,
        "succeeded": run.verdict.succeeded,
        "wall_time": NOT_CALLED if seconds is None or not isfinite(seconds) else seconds,
    }


def metric_info(metric: MethodMetric) -> dict[str, Any]:
    """Return a metric, and what it was judged by where there is anything."""
    fault = metric.fault()
    judged = metric.succeeded is not None or metric.is_bounded or fault is not None
    details = {
        "min_value": finite(metric.min_value),
        "max_value": finite(metric.max_value),
        "succeeded": fault is None if judged else None,
        "description": metric.description,
    }
    return {
        "name": metric.name,
        "value": finite(metric.value),
        **{name: value for name, value in details.items() if value is not None},
    }


def finite(value: float | None) -> float | None:
    """Return a number that JSON has, None for any other."""
    return value if value is not None and isfinite(value) else None
