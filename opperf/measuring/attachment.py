"""What the memory pass finds, attached to the results of what was timed."""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from msgspec import structs

from opperf.core.errors import OpperfError, UsageError
from opperf.core.frameworks.variant import variant_of
from opperf.core.results.conversion import record_part
from opperf.core.results.fusion import not_fused
from opperf.core.results.metrics import QUANTITIES
from opperf.core.results.parts import MemoryRecord, WarningRecord
from opperf.core.results.quantity import MetricRecord
from opperf.core.results.record import metric_fields
from opperf.core.results.status import TIMED
from opperf.core.timing.metric import metric_from
from opperf.measuring.worker.protocol import Prefetch

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.results.result import Result
    from opperf.core.timing.metric import Metric
    from opperf.measuring.worker.handle import Worker
    from opperf.planning.task import Row, Task

    Found = Mapping[str, Metric]

KERNELS = "kernels"


def attach_memory(results: Sequence[Result], task: Task, worker: Worker) -> list[Result]:
    """Attach to timed results what probes find in a process in which nothing is timed.

    The worker is one that `Worker.for_memory` returned. Where it fails, for lack of memory say, a
    record lacks what it would have found and nothing else.
    """
    rows = tuple(row_of(result) for result in results if result.status in TIMED)
    found: dict[Row, dict[str, Metric]] = {}
    try:
        if rows:
            worker.ensure()
            for message in worker.run(replace(task, rows=rows)):
                if message["event"] == "metrics":
                    metrics = map(metric_from, message["metrics"])
                    row = found.setdefault(rows[message["row"]], {})
                    row |= {metric.name: metric for metric in metrics}
    except Exception:  # noqa: BLE001 - whatever it is, it costs no time that was measured
        worker.stop()
    return [attached(result, found) for result in results]


def attached(result: Result, found: Mapping[Row, Found]) -> Result:
    """Return the result with what was found of it, each quantity in its place of the record."""
    own = found.get(row_of(result), {})
    with suppress(UsageError):  # what a child sends that is no number of bytes
        result = with_memory(result, own)
        result = with_others(result, own)
    return with_kernels(result, found)


def with_memory(result: Result, found: Found) -> Result:
    """Return the result with the bytes that are known of it."""
    names = result.memory.keys()
    values = {name: found[name].value for name in names if name in found}
    known = {name: value for name, value in values.items() if value is not None}
    memory = record_part({**result.memory.to_mapping(), **known}, MemoryRecord, "memory.")
    return structs.replace(result, memory=memory)


def with_others(result: Result, found: Found) -> Result:
    """Return the result with the metrics that have no field of their own."""
    others = [metric_fields(found[name]) for name in found if name not in QUANTITIES]
    if not others:
        return result
    added = record_part(others, tuple[MetricRecord, ...], "metrics")
    return structs.replace(result, metrics=(*result.metrics, *added))


def with_kernels(result: Result, found: Mapping[Row, Found]) -> Result:
    """Return the result with its kernels, and a warning where it is fused and saves none."""
    own = found.get(row_of(result), {}).get(KERNELS)
    if result.fusion is None or own is None:
        return result
    variant, direction = row_of(result)
    kernels, parts = names_of(own), names_of(found.get(("unfused", direction), {}).get(KERNELS))
    counted = structs.replace(result, fusion=structs.replace(result.fusion, kernels=kernels))
    unsaved = not_fused(kernels, parts) if variant == "fused" else ()
    added = [WarningRecord(code=one.code, message=one.message) for one in unsaved]
    if result.summary is None or not added:
        return counted
    warnings = (*result.summary.warnings, *added)
    return structs.replace(counted, summary=structs.replace(result.summary, warnings=warnings))


def names_of(metric: Metric | None) -> tuple[str, ...] | None:
    """Return the names of the kernels that were counted, None where they are not known."""
    return None if metric is None or metric.value is None else metric.counted


def row_of(result: Result) -> Row:
    """Return the variant and the direction of a result."""
    return variant_of(result.operator.fused), result.operator.direction


def get_ready(worker: Worker, task: Task) -> None:
    """Have the child of the memory pass get ready for a task to come, and wait until it is.

    It must not work while times are measured.
    """
    try:
        if worker.process is not None:
            deque(worker.run(Prefetch(task)), maxlen=0)
    except OpperfError:
        worker.stop()
