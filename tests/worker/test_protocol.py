from __future__ import annotations

import json

import pytest

from opperf.core.configuration.settings import Settings
from opperf.worker.protocol import Task, decode, encode, task_from

TASK = Task(
    operator="Add",
    framework="pytorch",
    device="cuda:0",
    size="small",
    inputs={"lhs": [2, 3], "dtype": "float64"},
    rows=((None, "forward"), (True, "backward")),
    settings=Settings(runs=6, threads=2),
    check_only=True,
)


def test_a_task_comes_back_as_it_was() -> None:
    """Through one line of JSON."""
    line = TASK.to_json()
    assert "\n" not in line
    assert task_from(json.loads(line)) == TASK


def test_an_event_is_one_line() -> None:
    """Whatever its values hold."""
    line = encode("result", reason="two\nlines", value=None)
    assert line.count(b"\n") == 1
    assert decode(line) == {"event": "result", "reason": "two\nlines", "value": None}


def test_what_is_no_number_is_not_sent() -> None:
    """NaN is not JSON; a row that holds one must not pass for a result."""
    with pytest.raises(ValueError, match="JSON compliant"):
        encode("result", median=float("nan"))


def test_settings_that_cannot_be_are_refused_on_arrival() -> None:
    """A task is checked where it is carried out, too."""
    message = json.loads(TASK.to_json())
    message["settings"]["runs"] = 0
    with pytest.raises(ValueError, match="runs 0: must be a whole number of at least 1"):
        task_from(message)
