"""The child of the memory pass, started as `opperf.measuring.children.timing` is.

It makes the probes that need a process in which nothing is timed. Its heap is set up so that freed
memory is seen to leave (`opperf.measuring.worker.variables.MEMORY`), it forks to see what is
written, and the framework's profiler is switched on: a child that measures times must feel none of
it.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from opperf.measuring.children.timing import announce_prefetch, attempt_at, serve
from opperf.measuring.probes import fresh_probes
from opperf.planning.task import task_from

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.frameworks.framework import Framework
    from opperf.measuring.attempt import Attempt
    from opperf.measuring.children.timing import Answer
    from opperf.planning.task import Task


def main(arguments: Sequence[str]) -> None:
    """Weigh task by task until told no more."""
    serve(arguments, serve_memory, timing=False)


def serve_memory(message: Mapping[str, Any], framework: Framework, answer: Answer) -> None:
    """Weigh a task, or get ready for one to come, and say when that is done.

    Nothing is drawn for it, since that is waited for; but a compiler is loaded, as the child that
    measures does at the same time.
    """
    task = task_from(message.get("prefetch", message))
    # A cold cache's ring would be held beside what is weighed, and changes nothing about it.
    attempt = attempt_at(replace(task, settings=replace(task.settings, cache="hot")), framework)
    if "prefetch" in message:
        announce_prefetch(task, attempt, answer)
        attempt.load_compiler(task.rows)
    else:
        weigh(task, attempt, answer)
    answer("done", idle=0, changed=[])


def weigh(task: Task, attempt: Attempt, answer: Answer) -> None:
    """Answer with what each probe finds, of one probe after the other for all rows.

    So all memory is found before a profiler takes some. What is `of_forms` is found where there is
    a fused and an unfused form to compare.
    """
    for probe in fresh_probes():
        rows = () if probe.of_forms and not attempt.operator.fusable else task.rows
        for row, (variant, direction) in enumerate(rows):
            answer("row", row=row, compiles=attempt.compiles(variant))
            try:
                found = [*probe.measure(attempt.workload(variant), direction)]
            except Exception:  # noqa: BLE001 - it was measured, so that it lacks memory, or a profiler
                attempt.framework.discard_errors()
                continue
            answer("metrics", row=row, metrics=[asdict(metric) for metric in found])
