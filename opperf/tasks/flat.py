"""dlbenchmark_result.json: a task's metrics as one flat object, as its document has them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from opperf.core.results.quantity import MetricRecord

NAME = "dlbenchmark_result.json"
MEMORY_KEYS = {
    "cpu_memory_usage": "rss_peak",
    "gpu_memory_usage_max": "gpu_memory_max",
    "gpu_memory_usage_mean": "gpu_memory_mean",
    "gpu_memory_usage_std": "gpu_memory_std",
}
"""What the document calls the metrics that are measured of every task."""
MEBI = 2**20
WHOLE = "cpu_memory_usage"
"""What the document has without decimals."""


def flat_values(
    metrics: Iterable[MetricRecord], names: Iterable[str], task: str, framework: str, suffix: str
) -> dict[str, float | None]:
    """Return the values by `framework.task.metric.suffix`, parts that are empty left out.

    Memory is in MiB; what is not known is None, never zero.

    Args:
        metrics: all that is known of the task.
        names: the metrics of its log.
        task: its name.
        framework: what stands before each name.
        suffix: what stands behind.
    """
    known = {metric.name: metric.value for metric in metrics}
    values: dict[str, float | None] = {name: known.get(name) for name in names}
    for name, source in MEMORY_KEYS.items():
        held = known.get(source)
        mebi = None if held is None else held / MEBI
        values[name] = round(mebi) if mebi is not None and name == WHOLE else mebi
    return {
        ".".join(filter(None, (framework, task, name, suffix))): value
        for name, value in values.items()
    }


def to_json(values: dict[str, float | None]) -> bytes:
    """Return the file's bytes."""
    return json.dumps(values, indent=4, allow_nan=False).encode() + b"\n"


def is_flat(document: object) -> bool:
    """Return whether JSON is such a file, which a task may replace."""
    return isinstance(document, dict) and all(
        value is None or (isinstance(value, (int, float)) and not isinstance(value, bool))
        for value in document.values()
    )
