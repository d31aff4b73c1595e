"""What of a plan is still to be measured, or once more, by the results that there are."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from opperf.core.configuration.settings import HOT
from opperf.core.frameworks.variant import variant_of
from opperf.core.results.identity import digest
from opperf.core.results.superseding import attempts, choose, may_improve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from opperf.core.results.result import Result
    from opperf.planning.task import Task


def missing_from(tasks: Iterable[Task], results: Iterable[Result]) -> list[Task]:
    """Return the tasks with those of their rows that have no result yet."""
    done = {row_of_result(result) for result in results}
    return rows_where(tasks, lambda row: row not in done)


def unreliable_from(
    tasks: Iterable[Task], results: Iterable[Result], *, repeatedly: bool = False
) -> list[Task]:
    """Return the tasks with those of their rows that are worth being measured once more.

    Each once, and not where a number of samples was asked for; `repeatedly`, because somebody asks
    for just that: all of them. The results are all that there are, not only those that count: these
    do not say how often their row was measured.
    """
    doubtful = {
        row_of_result(row[0])
        for row in attempts(results)
        if may_improve(choose(row)) and (repeatedly or not row[1:])
    }
    due = [task for task in tasks if repeatedly or task.settings.runs is None]
    return rows_where(due, lambda row: row in doubtful)


def rows_where(
    tasks: Iterable[Task], condition: Callable[[tuple[object, ...]], bool]
) -> list[Task]:
    """Return the tasks with those of their rows that are chosen, if there are any."""
    found = []
    for task in tasks:
        job = job_of_task(task)
        rows = tuple(row for row in task.rows if condition((*job, *row)))
        if rows:
            found.append(replace(task, rows=rows))
    return found


def row_of_result(result: Result) -> tuple[object, ...]:
    """Return which row of which job a result is of."""
    return (*job_of_result(result), variant_of(result.operator.fused), result.operator.direction)


def job_of_result(result: Result) -> tuple[object, ...]:
    """Return which operator, at which place and on what, a result is of."""
    inputs = [item.to_mapping() for item in result.inputs]
    given = digest([inputs, result.attributes, result.initializer])
    names = ("name", "framework", "device", "threads")
    cache = result.operator.cache or HOT
    return (*(getattr(result.operator, name) for name in names), cache, given)


def job_of_task(task: Task) -> tuple[object, ...]:
    """Return which operator, at which place and on what, a task is of."""
    return task.operator, *task.place, task.settings.cache, digest(task.given())
