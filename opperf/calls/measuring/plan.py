"""The plan of a run of calls: each distinct call of a network, on each device asked for."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any

from msgspec.json import decode, encode

from opperf.calls.declared.category import category_of
from opperf.calls.format.values import call_from
from opperf.calls.measuring.casting import cast
from opperf.calls.measuring.declared_plan import declared_launch, declared_tasks, merged
from opperf.calls.measuring.description import computed_in
from opperf.calls.measuring.task import CallTask
from opperf.core.errors import UsageError, unknown
from opperf.core.filters.language import parse
from opperf.core.frameworks.registry import find_framework, require_installed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opperf.calls.format.model import CallRecord, CallsRecord
    from opperf.core.filters.language import Filter
    from opperf.planning.selection import Selection
    from opperf.planning.task import Place, Task

AS_CAPTURED = "captured"
"""The `dtype` of a selection that leaves each call the element types it was captured in."""
LAUNCHED = {"pytorch": "aten.clone.default", "mxnet": "_copy"}
"""What copies a tensor on each framework."""
FILTERED = ("name", "category", "framework", "dtype", "device")


def plan_calls(record: CallsRecord, selection: Selection, *, here: bool = True) -> list[Task]:
    """Return a task for each distinct call on each device and number of threads.

    On its own framework it is made by the framework's operator, on another one by the declaration
    that it is; frameworks alternate on each call.

    Args:
        record: the calls.
        selection: which of them, and where.
        here: whether they are measured by this interpreter, and not by others.

    Raises:
        UsageError: a framework is not here, or the filter names what no call has.
    """
    for name in selection.frameworks if here else ():
        require_installed(find_framework(name))
    filtering = parse(selection.text, FILTERED)
    refuse_unknown(filtering, record.calls)
    places = [*product(selection.frameworks, selection.devices, selection.threads)]
    tasks = (
        task
        for call in record.calls
        for place in places
        for task in tasks_of_call(call, record.framework, place, selection, filtering)
    )
    # In one element type calls may be the same that were captured in two.
    found = merged(tasks)
    if not found or selection.check_only:
        return found
    own = record.framework
    launches = (
        launch(place, selection) if place[0] == own else declared_launch(place, selection)
        for place in places
    )
    return [*found, *launches]


def refuse_unknown(filtering: Filter, calls: Sequence[CallRecord]) -> None:
    """Refuse an operator's name that no call has."""
    names = {call.operator for call in calls}
    for value in sorted(filtering.values("name")):
        if value.lower() not in {name.lower() for name in names}:
            raise UsageError(unknown("operator", value, names))


def tasks_of_call(
    record: CallRecord, own: str, place: Place, selection: Selection, filtering: Filter
) -> Iterator[Task]:
    """Yield a call's task at a place, unless the filter leaves it out."""
    task = call_task(record, place, selection)
    call = cast(call_from(task.call), task.dtype)
    facts = {
        "name": record.operator, "category": category_of(call, own), "framework": task.framework,
        "dtype": computed_in(call), "device": task.device,
    }  # fmt: skip
    if not filtering.matches(facts):
        return
    if task.framework != own:
        yield from declared_tasks(call, own, place, selection)
    else:
        yield task


def call_task(record: CallRecord, place: Place, selection: Selection) -> CallTask:
    """Return a call's task at a place."""
    framework, device, threads = place
    return CallTask(
        operator=record.operator,
        framework=framework,
        device=device,
        settings=replace(selection.settings, threads=threads),
        check_only=selection.check_only,
        call=without_counts(record),
        dtype=dtype_of(selection),
    )


def dtype_of(selection: Selection) -> str | None:
    """Return the element type that calls are cast to, None where they are not."""
    return None if selection.dtype == AS_CAPTURED else selection.dtype


def without_counts(record: CallRecord) -> dict[str, Any]:
    """Return what is called, as JSON: the same for every place in the network."""
    document: dict[str, Any] = decode(encode(record))
    return {name: document[name] for name in ("operator", "arguments") if name in document}


def launch(place: Place, selection: Selection) -> CallTask:
    """Return what a call costs beside its work: a copy of one element, nobody's call."""
    framework, device, threads = place
    item = {"type": "tensor", "shape": [1], "dtype": "float32"}
    operator = LAUNCHED[framework]
    return CallTask(
        operator=operator,
        framework=framework,
        device=device,
        settings=replace(selection.settings, threads=threads, cache="hot"),
        call={"operator": operator, "arguments": [{"value": item}]},
        companion=True,
    )
