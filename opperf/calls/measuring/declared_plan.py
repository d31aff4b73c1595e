"""What of a network's calls is measured on another framework: those that are declared operators."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from opperf.calls.declared.finding import GRADIENTS, DeclaredCall, declared_call
from opperf.calls.measuring.declared_task import DeclaredTask
from opperf.core.errors import UnsupportedError, UsageError
from opperf.core.frameworks.calling import BOOKKEEPING, VIEW
from opperf.core.frameworks.registry import find_framework
from opperf.core.memory.available import require_memory
from opperf.core.results.fusion import LAUNCH
from opperf.planning.due import job_of_task

if TYPE_CHECKING:
    from collections.abc import Iterable

    from opperf.calls.format.values import Call
    from opperf.core.frameworks.variant import Variant
    from opperf.planning.selection import Selection
    from opperf.planning.task import Place, Task

NO_CALLS = (VIEW, BOOKKEEPING)


def elsewhere(call: Call, own: str, framework: str) -> DeclaredCall | None:
    """Return the declaration that one framework's call is on another; None of a view and the like.

    Raises:
        UnsupportedError: it is none, or not there.
    """
    calling = find_framework(own).calling
    if calling.meaning(call.operator).kind in NO_CALLS:
        return None
    there = find_framework(framework)

    def fits(found: DeclaredCall) -> bool:
        kind = type(found.operator)
        return there.implementation(kind, variant=variant_of_call(found)) is not None

    found = declared_call(call, calling, fits)
    if not fits(found):
        raise UnsupportedError(f"{framework} has no {found.declaration}")
    return found


def variant_of_call(found: DeclaredCall) -> Variant:
    """Return the variant of a declaration that a single operator is."""
    return next(iter(type(found.operator).variants()))


def declared_tasks(call: Call, own: str, place: Place, selection: Selection) -> list[DeclaredTask]:
    """Return the task of a call on another framework than its own, none where it is none there."""
    framework, device, threads = place
    try:
        found = elsewhere(call, own, framework)
        if found is None:
            return []
        require_memory(found.declaration, found.operator.memory_needed(), selection.memory_limit)
    except (UnsupportedError, UsageError):
        return []
    return [
        DeclaredTask(
            operator=found.declaration,
            framework=framework,
            device=device,
            inputs=found.inputs,
            rows=((variant_of_call(found), found.direction),),
            settings=replace(selection.settings, threads=threads),
            check_only=selection.check_only,
            dense=found.dense,
        )
    ]


def declared_launch(place: Place, selection: Selection) -> DeclaredTask:
    """Return what a call costs there beside its work: a copy of one element."""
    framework, device, threads = place
    return DeclaredTask(
        operator=LAUNCH,
        framework=framework,
        device=device,
        rows=(("only", "forward"),),
        settings=replace(selection.settings, threads=threads, cache="hot"),
        companion=True,
    )


def merged(tasks: Iterable[Task]) -> list[Task]:
    """Return each task once, the directions of one declaration on the same inputs together."""
    found: dict[tuple[object, ...], Task] = {}
    for task in tasks:
        job = job_of_task(task)
        first = found.setdefault(job, task)
        if isinstance(task, DeclaredTask) and isinstance(first, DeclaredTask):
            found[job] = together(first, task)
    return [*found.values()]


def together(one: DeclaredTask, other: DeclaredTask) -> DeclaredTask:
    """Return one task of the rows of both."""
    rows = (*one.rows, *(row for row in other.rows if row not in one.rows))
    inputs = dict(one.inputs)
    if "run_backward" in inputs:
        inputs["run_backward"] = any(direction in GRADIENTS for _, direction in rows)
    dense = tuple(dict.fromkeys((*one.dense, *other.dense)))
    return replace(one, rows=rows, inputs=inputs, dense=dense)
