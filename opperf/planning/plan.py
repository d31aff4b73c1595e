"""The plan of a run: which operators, on which frameworks, in which sizes and directions."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import product
from typing import TYPE_CHECKING, Any

from opperf.core.configuration.settings import Settings
from opperf.core.errors import UsageError, nearest, unknown
from opperf.core.filters.language import parse
from opperf.core.frameworks.registry import find_framework, framework_names, require_installed
from opperf.core.frameworks.workload import DIRECTIONS
from opperf.core.memory.available import require_memory
from opperf.core.results.result import digest
from opperf.core.results.status import STATUSES
from opperf.core.results.superseding import may_improve
from opperf.core.tensors.inputs import expand
from opperf.core.tensors.tensor import DTYPES, usual_dtype
from opperf.declaring.declaration import SIZES
from opperf.declaring.description import describe_inputs
from opperf.declaring.registry import operators
from opperf.planning.sweep import make_ladder
from opperf.planning.task import Task, operator_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from opperf.core.filters.language import Filter
    from opperf.core.results.result import Result
    from opperf.declaring.declaration import Declaration
    from opperf.planning.task import Place


@dataclass(frozen=True, kw_only=True)
class Selection:
    """What a user asks to be measured; `inputs` holds for every selected operator.

    Each operator is measured by each framework, on each device, with each number of threads.
    """

    text: str = ""
    frameworks: tuple[str, ...]
    devices: tuple[str, ...] = ("cpu",)
    threads: tuple[int, ...] = (1,)
    dtype: str = "float32"
    sizes: tuple[str, ...] = ("typical",)
    inputs: Mapping[str, Any] = field(default_factory=dict)
    settings: Settings = field(default_factory=Settings)
    check_only: bool = False
    memory_limit: int | None = None
    sweep: bool = False


def say_nothing(note: str) -> None:
    """Take a note on the plan, and leave it."""


def make_plan(
    selection: Selection, *, here: bool = True, note: Callable[[str], None] = say_nothing
) -> list[Task]:
    """Return the tasks in the order they are measured: all take turns on each operator.

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
    chosen: Filter,
    note: Callable[[str], None],
) -> list[dict[str, Any]]:
    """Return the inputs on which an operator is measured, in a sweep from small to large."""
    given = expand({"dtype": usual_dtype(kind.dtypes, selection.dtype), **selection.inputs})
    if not selection.sweep:
        return given
    if not is_asked_for(kind, size, selection, chosen):
        return []
    ladders = [make_ladder(kind, size, inputs, selection.memory_limit) for inputs in given]
    for ladder in ladders:
        note(ladder.note)
    return [point for ladder in ladders for point in ladder.points]


def is_asked_for(kind: type[Declaration], size: str, selection: Selection, chosen: Filter) -> bool:
    """Return whether the filter leaves an operator on any framework and device."""
    dtype = usual_dtype(kind.dtypes, selection.dtype)
    places = product(selection.frameworks, selection.devices)
    return any(chosen.matches(facts_of(kind, name, size, dtype, device)) for name, device in places)


def tasks_of(
    kind: type[Declaration],
    place: Place,
    size: str,
    inputs: Mapping[str, Any],
    selection: Selection,
    chosen: Filter,
) -> Iterator[Task]:
    """Yield an operator's task of a framework on a device, unless the filter leaves nothing."""
    framework, device, threads = place
    facts = facts_of(kind, framework, size, str(inputs["dtype"]), device)
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
            device=device,
            size=size,
            inputs=inputs,
            rows=rows,
            settings=replace(selection.settings, threads=threads),
            check_only=selection.check_only,
        )


def missing_from(tasks: Iterable[Task], results: Iterable[Result]) -> list[Task]:
    """Return the tasks with those of their rows that have no result yet."""
    done = {row_of_result(result) for result in results}
    return rows_where(tasks, lambda row: row not in done)


def unreliable_from(
    tasks: Iterable[Task], results: Iterable[Result], *, repeatedly: bool = False
) -> list[Task]:
    """Return the tasks with those of their rows that are worth being measured once more.

    Each once, and not where a number of samples was asked for; `repeatedly`, because somebody asks
    for just that: all of them.
    """
    doubtful = {
        row_of_result(result)
        for result in results
        if may_improve(result) and (repeatedly or result.supersedes is None)
    }
    due = [task for task in tasks if repeatedly or task.settings.runs is None]
    return rows_where(due, lambda row: row in doubtful)


def rows_where(tasks: Iterable[Task], chosen: Callable[[tuple[object, ...]], bool]) -> list[Task]:
    """Return the tasks with those of their rows that are chosen, if there are any."""
    found = []
    for task in tasks:
        job = job_of_task(task)
        rows = tuple(row for row in task.rows if chosen((*job, *row)))
        if rows:
            found.append(replace(task, rows=rows))
    return found


def row_of_result(result: Result) -> tuple[object, ...]:
    """Return which row of which job a result is of."""
    return (*job_of_result(result), result.operator["fused"], result.operator["direction"])


def job_of_result(result: Result) -> tuple[object, ...]:
    """Return which operator, at which place and on what, a result is of."""
    given = digest([result.inputs, result.attributes])
    names = ("name", "framework", "device", "threads")
    return (*(result.operator.get(name) for name in names), given)


def job_of_task(task: Task) -> tuple[object, ...]:
    """Return which operator, at which place and on what, a task is of."""
    operator = operator_of(task)
    given = digest([describe_inputs(operator), operator.keywords])
    return task.operator, *task.place, given


def sizes_of(selection: Selection) -> tuple[str, ...]:
    """Return the sizes asked for, all where `all` is one of them."""
    for size in selection.sizes:
        if size not in (*SIZES, "all"):
            raise UsageError(unknown("size", size, (*SIZES, "all")))
    return SIZES if "all" in selection.sizes else selection.sizes


def facts_of(
    kind: type[Declaration], framework: str, size: str, dtype: str, device: str
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


def nothing_matches(selection: Selection) -> str:
    """Return the line for a selection that leaves nothing, with the nearest match of each word."""
    names, categories = set(operators()), {kind.category for kind in operators().values()}
    near = (
        nearest(word, names) or nearest(word, categories)
        for word in parse(selection.text).words
        if not any(word.casefold() in name.casefold() for name in names | categories)
    )
    hints = [f"did you mean {name!r}?" for name in near if name]
    place = f"nothing matches {selection.text!r} on {', '.join(selection.frameworks)}"
    return "; ".join([place, *hints])


def name_of(field_name: str) -> str:
    """Return what an error calls a filter's field."""
    return "operator" if field_name == "name" else field_name
