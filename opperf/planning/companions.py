"""What is measured beside a fused operator: its parts alone, and what a launch costs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from opperf.core.frameworks.limits import known_limitations
from opperf.core.frameworks.registry import find_framework
from opperf.core.results.fusion import LAUNCH
from opperf.declaring.description import plain_inputs
from opperf.planning.due import job_of_task
from opperf.planning.plan import make_plan, say_nothing
from opperf.planning.task import operator_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from opperf.declaring.declaration import Declaration
    from opperf.planning.selection import Selection
    from opperf.planning.task import Row, Task


def plan_run(selection: Selection, note: Callable[[str], None] = say_nothing) -> list[Task]:
    """Return what a run measures: its plan and, where single sizes are timed, the companions.

    Each operator of a sweep gets a `note`, as `make_plan` gives it.

    Raises:
        UsageError: something named does not exist, does not fit together or not into memory.
    """
    tasks = make_plan(selection, note=note)
    return tasks if selection.sweep or selection.check_only else with_companions(tasks)


def with_companions(tasks: Sequence[Task]) -> list[Task]:
    """Return the tasks, each fused operator's followed by those it is judged by.

    What is planned anyway stays where it is, and nothing is measured twice.
    """
    measured = {(job_of_task(task), row) for task in tasks for row in task.rows}
    found: list[Task] = []
    for task in tasks:
        found.append(task)
        for companion in companions(task):
            job = job_of_task(companion)
            rows = tuple(row for row in companion.rows if (job, row) not in measured)
            measured |= {(job, row) for row in rows}
            if rows:
                found.append(replace(companion, rows=rows))
    return found


def companions(task: Task) -> Iterator[Task]:
    """Yield a task for each part of a fused operator, and one for the cost of a launch.

    In the directions in which it can be fused; the launch in inference, where it is asked for.
    """
    operator = operator_of(task)
    directions = fused_directions(operator, task)
    for part in operator.parts():
        rows: tuple[Row, ...] = tuple(
            ("only", each) for each in part.directions() if each in directions
        )
        if rows:
            inputs = plain_inputs(part)
            yield replace(task, operator=part.name(), inputs=inputs, rows=rows, companion=True)
    if "forward" in directions:
        inputs = {"dtype": operator.dtype}
        rows = (("only", "forward"),)
        yield replace(task, operator=LAUNCH, inputs=inputs, rows=rows, companion=True)


def fused_directions(operator: Declaration, task: Task) -> set[str]:
    """Return the directions of a task in which its framework may be able to fuse."""
    framework = find_framework(task.framework)
    if framework.implementation(type(operator), variant="fused") is None:
        return set()
    return {
        direction
        for variant, direction in task.rows
        if variant == "fused"
        and not known_limitations(operator, framework, direction, variant="fused")
    }
