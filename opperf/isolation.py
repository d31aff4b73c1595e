"""Measuring in a child, whatever becomes of it: a row is a result, never a loss."""

from __future__ import annotations

import signal
from collections import deque
from dataclasses import replace
from itertools import chain, repeat
from math import inf
from typing import TYPE_CHECKING

from opperf.core.errors import OpperfError, UsageError, WorkerError
from opperf.core.results import record
from opperf.core.results.fusion import not_fused
from opperf.core.results.result import from_mapping
from opperf.core.results.status import TIMED, TROUBLE
from opperf.description import describe
from opperf.worker.handle import Ended, Hung
from opperf.worker.protocol import Foresight

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from opperf.core.frameworks.framework import Framework
    from opperf.core.results.record import Outcome
    from opperf.core.results.result import Result
    from opperf.declaration import Declaration
    from opperf.worker.handle import Worker
    from opperf.worker.protocol import Row, Task

ABORTED_ALLOCATION = b"bad_alloc"
WORN_PART = 4
"""A child whose heap holds idle one in so many of the bytes that it may take is replaced."""


def measure_isolated(
    worker: Worker, task: Task, operator: Declaration, framework: Framework
) -> Iterator[Result]:
    """Yield a result for each row of the task; after any trouble the worker is stopped.

    So is one whose heap has worn out: the next operator must not run out of memory for that.

    Raises:
        UsageError: the child refuses the task, because its tensors do not fit, say.
    """
    left = list(task.rows)
    started_at = record.now()
    troubled = False
    try:
        for message in worker.run(task):
            if message["event"] == "refused":
                worker.stop()
                raise UsageError(message["reason"])
            if message["event"] == "row":
                started_at = record.now()
            elif message["event"] == "result":
                left.pop(0)
                result = with_last_words(from_mapping(message["result"]), worker)
                troubled = troubled or result.status in TROUBLE
                yield result
            elif message["event"] == "done":
                troubled = troubled or WORN_PART * message["idle"] > (worker.limits.memory or inf)
    except WorkerError as ending:
        outcome = outcome_of(ending, worker)
        worker.stop()
        skipped = record.Outcome(status="skipped", reason=f"not tried after {outcome.status}")
        for (fused, direction), ended in zip(left, chain([outcome], repeat(skipped)), strict=False):
            subject = describe(operator, framework, task.device, task.settings, fused)
            yield record.assemble(subject, direction, ended, worker.environment, started_at)
    if troubled:
        worker.stop()


def weighed(results: Sequence[Result], task: Task, worker: Worker) -> list[Result]:
    """Return a task's results, those with a time together with what a call takes of the memory.

    Those of fused operators also with the kernels that a call runs. The worker is one that
    `Worker.for_memory` returned. Where it fails, for lack of memory say, a record lacks what it
    would have found and nothing else.
    """
    rows = tuple(row_of(result) for result in results if result.status in TIMED)
    found: dict[Row, Mapping[str, int | None]] = {}
    kernels: dict[Row, Sequence[str] | None] = {}
    try:
        if rows:
            worker.ensure()
            for message in worker.run(replace(task, rows=rows)):
                if message["event"] == "memory":
                    found[message["fused"], message["direction"]] = message["memory"]
                elif message["event"] == "kernels":
                    kernels[message["fused"], message["direction"]] = message["kernels"]
    except OpperfError:
        worker.stop()
    return [
        counted(replace(result, memory={**result.memory, **found.get(row_of(result), {})}), kernels)
        for result in results
    ]


def get_ready(worker: Worker, task: Task) -> None:
    """Have the child of the memory pass get ready for a task to come, and wait until it is.

    It must not work while times are measured.
    """
    try:
        if worker.process is not None:
            deque(worker.run(Foresight(task)), maxlen=0)
    except OpperfError:
        worker.stop()


def counted(result: Result, kernels: Mapping[Row, Sequence[str] | None]) -> Result:
    """Return the result with its kernels, and a warning where it is fused and saves none."""
    if result.fusion is None or row_of(result) not in kernels:
        return result
    fused, direction = row_of(result)
    own, parts = kernels[fused, direction], kernels.get((False, direction))
    found = replace(result, fusion={**result.fusion, "kernels": own})
    notes = not_fused(own, parts) if fused else ()
    added = [{"code": note.code, "message": note.message} for note in notes]
    if result.summary is None or not added:
        return found
    warnings = [*result.summary["warnings"], *added]
    return replace(found, summary={**result.summary, "warnings": warnings})


def row_of(result: Result) -> Row:
    """Return the variant and the direction of a result."""
    return result.operator["fused"], result.operator["direction"]


def with_last_words(result: Result, worker: Worker) -> Result:
    """Return the result, with what the child printed last where that may explain a failure."""
    if result.status not in TROUBLE:
        return result
    return replace(result, stderr=worker.log.tail())


def outcome_of(ending: WorkerError, worker: Worker) -> Outcome:
    """Return the status of a row whose child hung or died, with what it printed last."""
    said = worker.log.tail()
    if isinstance(ending, Hung):
        return record.Outcome(status="timeout", reason=str(ending), stderr=said)
    if ABORTED_ALLOCATION in worker.log.content():
        return record.Outcome(status="out_of_memory", reason="std::bad_alloc", stderr=said)
    status = ending.status if isinstance(ending, Ended) else 0
    name = signal_name(-status) if status < 0 else None
    reason = f"killed by {name}" if name else str(ending)
    return record.Outcome(status="crashed", reason=reason, signal=name, stderr=said)


def signal_name(number: int) -> str:
    """Return a signal's name, or its number where it has none."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
