"""The plan of a run: which operators, on which frameworks, in which sizes and directions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UsageError, unknown
from opperf.core.filters import parse
from opperf.core.framework import find_framework, framework_names, require_installed
from opperf.core.memory import require_memory
from opperf.core.result import STATUSES
from opperf.core.settings import Settings
from opperf.core.tensor import DTYPES
from opperf.core.workload import DIRECTIONS
from opperf.declaration import SIZES
from opperf.operators.registry import operators
from opperf.worker.protocol import Task

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opperf.core.filters import Filter
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
    return [task for task, _ in planned(selection)]


def planned(selection: Selection) -> Iterator[tuple[Task, Operator]]:
    """Yield each task with the operator it measures."""
    chosen = check_names(parse(selection.text))
    for kind in operators().values():
        for size in sizes_of(selection):
            for framework in selection.frameworks:
                facts = facts_of(kind, framework, size, selection)
                if chosen.matches(facts):
                    operator = make(kind, size, selection)
                    rows = tuple(
                        (fused, direction)
                        for fused, direction in operator.rows()
                        if direction in find_framework(framework).directions
                        and chosen.matches({**facts, "direction": direction})
                    )
                    if rows:
                        yield task_of(operator, framework, size, rows, selection), operator


def sizes_of(selection: Selection) -> tuple[str, ...]:
    """Return the sizes asked for, all where `all` is one of them."""
    for size in selection.sizes:
        if size not in (*SIZES, "all"):
            raise UsageError(unknown("size", size, (*SIZES, "all")))
    return SIZES if "all" in selection.sizes else selection.sizes


def facts_of(
    kind: type[Operator], framework: str, size: str, selection: Selection
) -> dict[str, str | None]:
    """Return what a filter can know before anything is measured."""
    return {
        "name": kind.name(),
        "category": kind.category,
        "framework": framework,
        "dtype": str(selection.inputs.get("dtype", selection.dtype)),
        "size": size,
        "device": selection.device,
    }


def make(kind: type[Operator], size: str, selection: Selection) -> Operator:
    """Return the operator on the inputs asked for, or say why it cannot be."""
    operator = kind(overrides(selection), size=size)
    require_memory(operator.name(), operator.memory_needed(), selection.memory_limit)
    return operator


def overrides(selection: Selection) -> dict[str, Any]:
    """Return what differs from the defaults of a size."""
    return {"dtype": selection.dtype, **selection.inputs}


def task_of(
    operator: Operator,
    framework: str,
    size: str,
    rows: tuple[tuple[bool | None, str], ...],
    selection: Selection,
) -> Task:
    """Return the task of these rows of an operator."""
    return Task(
        operator=operator.name(),
        framework=framework,
        device=selection.device,
        size=size,
        inputs=overrides(selection),
        rows=rows,
        settings=selection.settings,
        check_only=selection.check_only,
    )


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
