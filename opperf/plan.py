"""The plan of a run: which operators, on which frameworks, in which sizes and directions."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UsageError, unknown
from opperf.core.filters import parse
from opperf.core.frameworks import find_framework, framework_names, require_installed
from opperf.core.inputs import expand
from opperf.core.memory import require_memory
from opperf.core.result import digest
from opperf.core.settings import Settings
from opperf.core.status import STATUSES
from opperf.core.tensor import DTYPES
from opperf.core.workload import DIRECTIONS
from opperf.declaration import SIZES
from opperf.description import describe_inputs
from opperf.operators.registry import operators
from opperf.worker.protocol import Task

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from opperf.core.filters import Filter
    from opperf.core.result import Result
    from opperf.operator import Operator


@dataclass(frozen=True, kw_only=True)
class Selection:
    """What a user asks to be measured; `inputs` holds for every selected operator."""

    text: str = ""
    frameworks: tuple[str, ...]
    device: str = "cpu"
    dtype: str = "float32"
    sizes: tuple[str, ...] = ("typical",)
    inputs: Mapping[str, Any] = field(default_factory=dict)
    settings: Settings = field(default_factory=Settings)
    check_only: bool = False
    memory_limit: int | None = None


def make_plan(selection: Selection) -> list[Task]:
    """Return the tasks in the order they are measured: frameworks take turns on each operator.

    Raises:
        UsageError: something named does not exist, does not fit together or not into memory.
    """
    for name in selection.frameworks:
        require_installed(find_framework(name))
    chosen = check_names(parse(selection.text))
    given = expand({"dtype": selection.dtype, **selection.inputs})
    tasks = (
        task
        for kind in operators().values()
        for size in sizes_of(selection)
        for inputs in given
        for framework in selection.frameworks
        for task in tasks_of(kind, framework, size, inputs, selection, chosen)
    )
    # Given inputs may leave nothing of a size's own: the sizes then stand for the same job.
    return [*{job_of_task(task): task for task in tasks}.values()]


def tasks_of(
    kind: type[Operator],
    framework: str,
    size: str,
    inputs: Mapping[str, Any],
    selection: Selection,
    chosen: Filter,
) -> Iterator[Task]:
    """Yield the task of one operator, unless the filter leaves nothing of it."""
    facts = facts_of(kind, framework, size, str(inputs["dtype"]), selection.device)
    if not chosen.matches(facts):
        return
    operator = kind(inputs, size=size)
    require_memory(operator.name(), operator.memory_needed(), selection.memory_limit)
    rows = tuple(
        (fused, direction)
        for fused, direction in operator.rows()
        if direction in find_framework(framework).directions
        and chosen.matches({**facts, "direction": direction})
    )
    if rows:
        yield Task(
            operator=operator.name(),
            framework=framework,
            device=selection.device,
            size=size,
            inputs=inputs,
            rows=rows,
            settings=selection.settings,
            check_only=selection.check_only,
        )


def missing_from(tasks: Iterable[Task], results: Iterable[Result]) -> list[Task]:
    """Return the tasks with those of their rows that have no result yet."""
    done = {(*job_of_result(r), r.operator["fused"], r.operator["direction"]) for r in results}
    left = []
    for task in tasks:
        rows = tuple(row for row in task.rows if (*job_of_task(task), *row) not in done)
        if rows:
            left.append(replace(task, rows=rows))
    return left


def job_of_result(result: Result) -> tuple[str, str, str]:
    """Return which operator, on which framework and on what, a result is of."""
    given = digest([result.inputs, result.attributes])
    return result.operator["name"], result.operator["framework"], given


def job_of_task(task: Task) -> tuple[str, str, str]:
    """Return which operator, on which framework and on what, a task is of."""
    operator = operators()[task.operator](task.inputs, size=task.size)
    return task.operator, task.framework, digest([describe_inputs(operator), operator.keywords])


def sizes_of(selection: Selection) -> tuple[str, ...]:
    """Return the sizes asked for, all where `all` is one of them."""
    for size in selection.sizes:
        if size not in (*SIZES, "all"):
            raise UsageError(unknown("size", size, (*SIZES, "all")))
    return SIZES if "all" in selection.sizes else selection.sizes


def facts_of(
    kind: type[Operator], framework: str, size: str, dtype: str, device: str
) -> dict[str, str | None]:
    """Return what a filter can know before anything is measured."""
    return {
        "name": kind.name(),
        "category": kind.category,
        "tag": " ".join(kind.tags),
        "framework": framework,
        "dtype": dtype,
        "size": size,
        "device": device,
    }


def check_names(chosen: Filter) -> Filter:
    """Refuse a value that no operator could have, with its nearest match."""
    allowed = {
        "name": set(operators()),
        "category": {kind.category for kind in operators().values()},
        "framework": set(framework_names()),
        "dtype": set(DTYPES),
        "size": set(SIZES),
        "direction": set(DIRECTIONS),
        "status": set(STATUSES),
        "tag": {tag for kind in operators().values() for tag in kind.tags},
    }
    for field_name, names in allowed.items():
        lowered = {name.lower() for name in names}
        for value in sorted(chosen.values(field_name)):
            if value.lower() not in lowered:
                raise UsageError(unknown(name_of(field_name), value, names))
    return chosen


def name_of(field_name: str) -> str:
    """Return what an error calls a filter's field."""
    return "operator" if field_name == "name" else field_name
