from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import pytest

from opperf.core.configuration.settings import Settings
from opperf.core.timing.metric import Metric
from opperf.measuring.worker.protocol import decode, encode, request, request_from
from opperf.planning.task import Task, task_from

TASK = Task(
    operator="Add",
    framework="pytorch",
    device="cuda:0",
    size="small",
    inputs={"lhs": [2, 3], "dtype": "float64"},
    rows=(("only", "forward"), ("fused", "backward")),
    settings=Settings(runs=6, threads=2),
    check_only=True,
)


def test_a_task_comes_back_as_it_was() -> None:
    """Through one line of JSON."""
    line = TASK.to_json()
    assert "\n" not in line
    assert task_from(json.loads(line)) == TASK


METRIC = {**asdict(Metric(name="energy", unit="J", value=None, reason="no meter")), "counted": []}
"""With every field that a metric has: one that is added has to be known to the protocol."""
EVENTS: dict[str, dict[str, Any]] = {
    "loaded": {"environment": {"cpu": "one"}},
    "row": {"row": 0, "compiles": False},
    "result": {"row": 1, "result": {}},
    "metrics": {"row": 0, "metrics": [METRIC, {**METRIC, "counted": ["add"]}]},
    "done": {"idle": 0, "changed": ["umask"]},
    "opened": {},
    "ready": {
        "plan": {"iterations": 9, "short": 0, "call": 1e-6, "loop_overhead": 0.0, "limit": 99}
    },
    "block": {"seconds": 1e-3, "probe_times": [1, 2], "switches": None},
    "failed": {"status": "failed", "reason": "two\nlines"},
    "product": {"found": {"device": "cpu", "threads": 1, "dtype": "f", "way": "mm", "rate": 1e9}},
}
WRONG: dict[type, tuple[Any, ...]] = {
    bool: (0, 1, "", None),
    int: (-1, True, "1", 1.5, [], {}, 2**80, None),
    float: ("1", True, [], {}, None),
    str: (1, True, [], {}, None),
    list: (1, "a", {}, [{}]),
    dict: (1, "a", [], None),
    type(None): ("a", -1, True),
}
"""What a field is not, by what it is."""


@pytest.mark.parametrize("event", EVENTS)
def test_an_event_is_one_line_and_comes_back(event: str) -> None:
    """With its token, whatever its values hold."""
    line = encode("0123", event, **EVENTS[event])
    assert line.count(b"\n") == 1
    assert decode(line) == ("0123", {"event": event, **EVENTS[event]})


@pytest.mark.parametrize("event", EVENTS)
def test_each_field_of_an_event_has_its_type(event: str) -> None:
    """One that is absent, of another type or added makes it no event."""
    fields = EVENTS[event]
    with pytest.raises(ValueError, match="no event that is known"):
        decode(encode("0123", event, **fields, more=1))
    for name, value in fields.items():
        with pytest.raises(ValueError, match="no event that is known"):
            decode(encode("0123", event, **{key: fields[key] for key in fields if key != name}))
        for wrong in WRONG[type(value)]:
            with pytest.raises(ValueError, match="no event that is known"):
                decode(encode("0123", event, **{**fields, name: wrong}))


@pytest.mark.parametrize(
    "line",
    [
        b"", b"hello", b"hello world", b"0123", b"0123 ", b"0123 7", b"0123 []", b"0123 null",
        b'0123 "done"', b'0123 {"event": []}', b'0123 {"event": "nonsense"}', b"\xff\xfe",
        b'0123 {"event": "row", "row": NaN, "compiles": false}',
        b'0123 {"event": "block", "seconds": 1e999, "probe_times": [1, 1], "switches": 0}',
        b'0123 {"event": "block", "seconds": Infinity, "probe_times": [1, 1], "switches": 0}',
        b"0123 " + b"[" * 100_000, b'0123 {"event": "loaded", "environment": ' + b'{"a":' * 100_000,
        b"0123 " + b"9" * 10_000,
    ],
)  # fmt: skip
def test_what_is_no_message_is_one_error(line: bytes) -> None:
    """Text, numbers, lists, NaN, deep nesting: whatever framework code may write to a pipe."""
    with pytest.raises(ValueError, match=r"."):
        decode(line)


def test_a_request_comes_back_as_it_was() -> None:
    """With its token."""
    line = request("0123", TASK.to_json())
    assert line.count(b"\n") == 1
    token, message = request_from(line)
    assert (token, task_from(message)) == ("0123", TASK)


def test_what_is_no_number_is_not_sent() -> None:
    """NaN is not JSON; a row that holds one must not pass for a result."""
    with pytest.raises(ValueError, match="JSON compliant"):
        encode("0123", "result", median=float("nan"))


def test_settings_that_cannot_be_are_refused_on_arrival() -> None:
    """A task is checked where it is carried out, too."""
    message = json.loads(TASK.to_json())
    message["settings"]["runs"] = 0
    with pytest.raises(ValueError, match="runs 0: must be a whole number of at least 1"):
        task_from(message)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("name", None), ("unit", 1), ("value", "1"), ("better", 1), ("interval", [1.0]),
        ("reason", 1), ("counted", [1]), ("min_value", "1"), ("more", 1),
    ],
)  # fmt: skip
def test_each_field_of_a_metric_has_its_type(name: str, wrong: object) -> None:
    """Or it is no event; whatever the framework's code writes cannot pass for a value."""
    decode(encode("0123", "metric", found={**METRIC, "value": 1.5, "interval": [1.0, 2.0]}))
    decode(encode("0123", "metric", found=None))
    with pytest.raises(ValueError, match="no event that is known"):
        decode(encode("0123", "metric", found={**METRIC, name: wrong}))
