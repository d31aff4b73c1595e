"""What a child says of the rows of its task: taken only where it is of the row in hand."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from opperf.measuring.campaign import measure_task
from opperf.nd import Exp
from opperf.planning.task import Task

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TASK = Task(
    operator="Exp", framework="numpy", size="small", rows=(("only", "forward"), ("only", "forward"))
)
LOADED: dict[str, Any] = {"event": "loaded", "environment": {}}
FIRST: dict[str, Any] = {"event": "row", "row": 0, "compiles": False}
SECOND: dict[str, Any] = {"event": "row", "row": 1, "compiles": False}
DONE: dict[str, Any] = {"event": "done", "idle": 0, "changed": []}
REFUSED = ["crashed", "skipped"]


@pytest.fixture(scope="module")
def result() -> dict[str, Any]:
    """Return a result of the task's row, as a child sends it."""
    found = Exp(framework="numpy", size="small", runs=6, warmup=0).run_benchmark()[0]
    return {**found.to_mapping(), "status": "ok"}


@pytest.fixture
def statuses(
    make: Any, python: Any, tmp_path: Path
) -> Callable[[list[dict[str, Any]]], list[tuple[str, str | None]]]:
    """Return a function that returns how the rows end where a child says these things."""

    def measure(said: list[dict[str, Any]]) -> list[tuple[str, str | None]]:
        lines = [*map(json.dumps, said)]
        for number, line in enumerate(lines):
            tmp_path.joinpath(f"{number}.json").write_text(line)
        says = "\n".join(f'say "$(cat {tmp_path}/{number}.json)"' for number in range(len(lines)))
        worker = make(python=python(f"say '{json.dumps(LOADED)}'\nhear\n{says}\nsleep 60"))
        return [(row.status, row.reason) for row in measure_task(worker, TASK)]

    return measure


def answered(row: int, result: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """Return the answer to a row."""
    return {"event": "result", "row": row, "result": {**result, **changes}}


def test_rows_in_their_order_are_taken(statuses: Any, result: dict[str, Any]) -> None:
    """Announced, answered, done."""
    said = [FIRST, answered(0, result), SECOND, answered(1, result), DONE]
    assert [status for status, _ in statuses(said)] == ["ok", "ok"]


def test_done_before_all_rows_is_a_fault_of_the_rows_that_miss(
    statuses: Any, result: dict[str, Any]
) -> None:
    """A task is done when each of its rows has a record, whoever says so."""
    assert [status for status, _ in statuses([DONE])] == REFUSED
    assert [status for status, _ in statuses([FIRST, DONE])] == REFUSED
    (first, _), (second, reason) = statuses([FIRST, answered(0, result), DONE])
    assert (first, second) == ("ok", "crashed")
    assert "after 1 of 2 had begun and 1 ended" in str(reason)


@pytest.mark.parametrize("kind", ["unannounced", "next", "again", "announced twice", "skipped"])
def test_an_answer_out_of_turn_is_a_fault(statuses: Any, result: dict[str, Any], kind: str) -> None:
    """Of the row in hand."""
    said = {
        "unannounced": [answered(0, result)],
        "next": [FIRST, answered(1, result)],
        "again": [FIRST, answered(0, result), answered(0, result)],
        "announced twice": [FIRST, FIRST],
        "skipped": [SECOND],
    }[kind]
    ended = [status for status, _ in statuses([*said, DONE])]
    assert ended == (["ok", "crashed"] if kind == "again" else REFUSED)


@pytest.mark.parametrize(
    "changes",
    [{"name": "Log"}, {"framework": "mxnet"}, {"direction": "backward"}, {"fused": True}],
)
def test_another_row_s_result_is_a_fault(
    statuses: Any, result: dict[str, Any], changes: dict[str, Any]
) -> None:
    """However complete it is."""
    other = {**result["operator"], **changes}
    said = [FIRST, answered(0, result, operator=other), DONE]
    assert [status for status, _ in statuses(said)] == REFUSED


def test_what_is_no_record_is_a_fault(statuses: Any, result: dict[str, Any]) -> None:
    """It names what is missing."""
    (status, reason), _ = statuses([FIRST, answered(0, result, samples=7), DONE])
    assert status == "crashed"
    assert "sent no result: field 'samples'" in str(reason)
