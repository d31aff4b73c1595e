"""The plan of a run: which operators, on which frameworks, in which sizes and directions."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any

from opperf.core.filters.language import parse
from opperf.core.frameworks.registry import find_framework, require_installed
from opperf.core.memory.available import require_memory
from opperf.core.tensors.inputs import expand
from opperf.core.tensors.tensor import usual_dtype
from opperf.declaring.registry import operators
from opperf.planning.due import job_of_task
from opperf.planning.selection import check_names, facts_of, is_asked_for, sizes_of
from opperf.planning.sweep import make_ladder
from opperf.planning.task import Task

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from opperf.core.filters.language import Filter
    from opperf.declaring.declaration import Declaration
    from opperf.planning.selection import Selection
    from opperf.planning.task import Place


def say_nothing(note: str) -> None:
    """Take a note on the plan, and leave it."""


def make_plan(
    selection: Selection, *, here: bool = True, note: Callable[[str], None] = say_nothing
) -> list[Task]:
    """Return the tasks in the order they are measured: frameworks alternate on each operator.

    Unless they are to be measured by other interpreters than this one, the frameworks must be
    installed `here`. Each operator of a sweep gets a `note`: from which size to which it is swept,
    or why it is not.

    Raises:
        UsageError: something named does not exist, does not fit together or not into memory.
    """
    for name in selection.frameworks if here else ():
        require_installed(find_framework(name))
    chosen = check_names(parse(selection.text))
    tasks = (
        task
        for kind in operators().values()
        for size in sizes_of(selection)
        for inputs in points_of(kind, size, selection, chosen, note)
        for place in product(selection.frameworks, selection.devices, selection.threads)
        for task in tasks_of(kind, place, size, inputs, selection, chosen)
    )
    # Given inputs may leave nothing of a size's own: the sizes then stand for the same job.
    return [*{job_of_task(task): task for task in tasks}.values()]


def points_of(
    kind: type[Declaration],
    size: str,
    selection: Selection,
    condition: Filter,
    note: Callable[[str], None],
) -> list[dict[str, Any]]:
    """Return the inputs on which an operator is measured, in a sweep from small to large."""
    given = expand({"dtype": usual_dtype(kind.dtypes, selection.dtype), **selection.inputs})
    if not selection.sweep:
        return given
    if not is_asked_for(kind, size, selection, condition):
        return []
    ladders = [make_ladder(kind, size, inputs, selection.memory_limit) for inputs in given]
    for ladder in ladders:
        note(ladder.note)
    return [point for ladder in ladders for point in ladder.points]


def tasks_of(
    kind: type[Declaration],
    place: Place,
    size: str,
    inputs: Mapping[str, Any],
    selection: Selection,
    condition: Filter,
) -> Iterator[Task]:
    """Yield an operator's task of a framework on a device, unless the filter leaves nothing."""
    framework, device, threads = place
    facts = facts_of(kind, framework, size, str(inputs["dtype"]), device)
    if not condition.matches(facts):
        return
    operator = kind(inputs, size=size)
    require_memory(operator.name(), operator.memory_needed(), selection.memory_limit)
    rows = tuple(
        (variant, direction)
        for variant, direction in operator.rows()
        if direction in find_framework(framework).directions
        and condition.matches({**facts, "direction": direction})
    )
    if rows:
        yield Task(
            operator=operator.name(),
            framework=framework,
            device=device,
            size=size,
            inputs=inputs,
            rows=rows,
            settings=replace(selection.settings, threads=threads),
            check_only=selection.check_only,
        )
