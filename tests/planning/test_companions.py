"""What is measured beside a fused operator."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from opperf.core.frameworks.registry import find_framework
from opperf.core.results.reading import from_mapping
from opperf.declaring.registry import find_operator
from opperf.measuring.campaign import mark_companion
from opperf.planning.companions import plan_run, with_companions
from opperf.planning.due import missing_from
from opperf.planning.selection import Selection
from opperf.planning.task import task_from
from opperf.storing.database.decoding import decode
from tests.records import changed

DIRECTIONS = ("forward", "forward_recorded", "backward", "forward_backward")


@pytest.fixture(autouse=True)
def _everything_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plan for every framework: a plan imports none, so it does not matter which is here."""
    for name in ("mxnet", "pytorch"):
        monkeypatch.setattr(find_framework(name), "is_installed", lambda: True)


def plan(text: str, framework: str = "pytorch", **options: bool) -> list[tuple[str, str, int]]:
    """Return operator, size and number of rows of what a run measures."""
    tasks = plan_run(Selection(text=text, frameworks=(framework,), **options))  # type: ignore[arg-type]
    return [(task.operator, task.size, len(task.rows)) for task in tasks]


def test_a_fused_operator_brings_its_parts_and_a_launch() -> None:
    """In each direction that it has; a launch is told in inference alone."""
    found = plan("name=ConvReLU")
    assert [(name, rows) for name, _, rows in found] == [
        ("ConvReLU", 8), ("Conv2D", 4), ("ReLU", 4), ("OneElementCopy", 1),
    ]  # fmt: skip


def test_what_is_no_row_of_parts_brings_a_launch_alone() -> None:
    """A loop of cells is judged by the layer in one call, and by nothing measured alone."""
    found = plan("name=LSTM")
    assert [(name, rows) for name, _, rows in found] == [("LSTM", 8), ("OneElementCopy", 1)]


def test_parts_are_on_the_inputs_that_they_have_there() -> None:
    """The ReLU on the outputs of the convolution, in its dtype."""
    selection = Selection(text="name=ConvReLU", frameworks=("pytorch",), dtype="float64")
    tasks = {task.operator: task for task in plan_run(selection)}
    relu = find_operator("ReLU")(tasks["ReLU"].inputs)
    assert (relu.shapes, relu.dtype) == ({"data": (4, 64, 56, 56)}, "float64")
    assert tasks["OneElementCopy"].inputs == {"dtype": "float64"}


def test_what_is_planned_anyway_is_measured_once() -> None:
    """In its own place and under its own size."""
    found = plan("name in (Conv2D, ConvReLU, ConvBatchNormReLU) and direction=forward")
    names = [name for name, *_ in found]
    assert sorted(names) == sorted(set(names))
    assert ("Conv2D", "typical", 1) in found


def test_a_part_of_two_has_the_rows_of_both() -> None:
    """ConvBatchNormReLU is fused in fewer directions than ConvReLU, and shares its ReLU."""
    chosen = "name in (ConvReLU, ConvBatchNormReLU)"
    tasks = plan_run(Selection(text=chosen, frameworks=("pytorch",), sizes=("small",)))
    relus = [row for task in tasks if task.operator == "ReLU" for row in task.rows]
    assert sorted(direction for _, direction in relus) == sorted(DIRECTIONS)
    reverse = with_companions([task for task in reversed(tasks) if not task.companion])
    again = [row for task in reverse if task.operator == "ReLU" for row in task.rows]
    assert sorted(again, key=str) == sorted(relus, key=str)


def test_a_filter_on_directions_holds_for_parts() -> None:
    """Without inference there is nothing that a launch would tell."""
    found = plan("name=AddReLU and direction=backward")
    assert [(name, rows) for name, _, rows in found] == [("AddReLU", 2), ("Add", 1), ("ReLU", 1)]


@pytest.mark.parametrize("framework", ["mxnet", "numpy"])
def test_what_cannot_be_fused_brings_nothing(framework: str) -> None:
    """There is no gain to be judged where a limitation or a table says that nothing is fused."""
    assert [name for name, *_ in plan("name=AddReLU", framework)] == ["AddReLU"]


def test_directions_that_cannot_be_fused_bring_nothing() -> None:
    """MXNet's subgraph of a convolution has no gradients: parts are measured in the forwards."""
    found = plan_run(Selection(text="name=ConvReLU", frameworks=("mxnet",)))
    rows = {task.operator: [direction for _, direction in task.rows] for task in found}
    assert rows["ReLU"] == ["forward", "forward_recorded"]


@pytest.mark.parametrize("option", ["sweep", "check_only"])
def test_no_companions_where_nothing_is_judged(option: str) -> None:
    """A sweep tells fixed costs by itself, and a check times nothing."""
    assert {name for name, *_ in plan("name=AddReLU", **{option: True})} == {"AddReLU"}


def test_a_resumed_run_plans_the_same() -> None:
    """With nothing measured, all of it is missing, companions included."""
    tasks = plan_run(Selection(text="name=ConvReLU", frameworks=("pytorch",)))
    assert missing_from(tasks, []) == tasks


def test_companions_are_marked_and_what_was_asked_for_is_not() -> None:
    """An operator that is planned anyway is no companion, though a fused one is judged by it."""
    text = "name in (Conv2D, ConvReLU) and direction=forward"
    tasks = plan_run(Selection(text=text, frameworks=("pytorch",)))
    assert {task.operator: task.companion for task in tasks} == {
        "ConvReLU": False, "Conv2D": False, "ReLU": True, "OneElementCopy": True,
    }  # fmt: skip


def test_a_record_says_that_it_is_a_companions(make_result: Any) -> None:
    """In a field of its own, which every reader keeps; nothing else of the record changes."""
    result = make_result()
    (relu,) = [task for task in plan_run(Selection(text="name=ConvReLU and direction=forward",
               frameworks=("pytorch",))) if task.operator == "ReLU"]  # fmt: skip
    found = mark_companion(result, relu)
    assert found.companion
    assert found.key == result.key
    assert changed(found, operator=result.operator) == result
    assert from_mapping(json.loads(found.to_json())).companion
    decoded = decode(found.to_json().encode())
    assert decoded is not None
    assert not mark_companion(result, replace(relu, companion=False)).companion
    assert task_from(json.loads(relu.to_json())).companion
