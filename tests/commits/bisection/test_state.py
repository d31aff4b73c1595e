"""A bisection on disk."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from opperf.commits.bisection.state import (
    ASKED,
    LEFT_OUT,
    SESSION,
    STEPS,
    BisectionStep,
    begin,
    holding_state,
    request_in,
)
from opperf.core.errors import UsageError
from opperf.storing.errors import StorageError

STEP = BisectionStep(event=SESSION, low=0, high=4, ratio=0.05, why="why", rows={"k": 0.05})


def test_what_was_kept_is_found_again(tmp_path: Path, make_request: Any) -> None:
    """What was asked for, and the steps in their order."""
    begin(tmp_path / "state", make_request(4))
    with holding_state(tmp_path / "state") as state:
        state.append(STEP)
        state.append(BisectionStep(event=LEFT_OUT, low=2, high=2, why="it does not build"))
    with holding_state(tmp_path / "state") as state:
        assert state.request == make_request(4)
        assert [entry.event for entry in state.entries] == [SESSION, LEFT_OUT]
        assert state.entries[0] == STEP


def test_a_torn_line_is_cut_off(tmp_path: Path, make_request: Any) -> None:
    """As a kill in the middle of it leaves it; the next step begins a line of its own."""
    begin(tmp_path, make_request(4))
    with holding_state(tmp_path) as state:
        state.append(STEP)
    with (tmp_path / STEPS).open("ab") as file:
        file.write(b'{"event": "session", "lo')
    with holding_state(tmp_path) as state:
        assert state.entries == [STEP]
        state.append(STEP)
    with holding_state(tmp_path) as state:
        assert state.entries == [STEP, STEP]


@pytest.mark.parametrize(
    "line",
    [
        b"[]\n", b"nonsense\n", b"{}\n", b"\xff\n", b"\n",
        b'{"event": "session", "low": 0, "high": 9, "ratio": 0.1}\n',
        b'{"event": "session", "low": 3, "high": 1, "ratio": 0.1}\n',
        b'{"event": "session", "low": 0, "high": 1}\n',
        b'{"event": "left_out", "low": 0, "high": 1, "ratio": 0.5}\n',
        b'{"event": "party", "low": 0, "high": 1}\n',
        b'{"event": "session", "low": 0, "high": 1, "ratio": NaN}\n',
        b'{"event": "session", "low": 0, "high": 1, "ratio": "much"}\n',
    ],
)  # fmt: skip
def test_a_damaged_step_is_named(tmp_path: Path, make_request: Any, line: bytes) -> None:
    """By its file and line."""
    begin(tmp_path, make_request(4))
    (tmp_path / STEPS).write_bytes(line)
    with pytest.raises(UsageError, match=r"line 1: "), holding_state(tmp_path):
        pass


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"schema": "x"}'])
def test_a_damaged_request_is_named(tmp_path: Path, text: str) -> None:
    """It is one line, with the file."""
    (tmp_path / ASKED).write_text(text)
    with pytest.raises(UsageError, match="is damaged: ") as error:
        request_in(tmp_path)
    assert "\n" not in str(error.value)


def test_another_version_and_too_few_candidates_are_refused(
    tmp_path: Path, make_request: Any
) -> None:
    """What this opperf cannot go on with."""
    begin(tmp_path, make_request(4))
    fields = json.loads((tmp_path / ASKED).read_text())
    (tmp_path / ASKED).write_text(json.dumps({**fields, "schema": "opperf.bisection/9"}))
    with pytest.raises(UsageError, match="unknown version"):
        request_in(tmp_path)
    (tmp_path / ASKED).write_text(json.dumps({**fields, "candidates": []}))
    with pytest.raises(UsageError, match="no two candidates"):
        request_in(tmp_path)


def test_what_has_begun_is_not_begun_again(tmp_path: Path, make_request: Any) -> None:
    """Before its first step it may be: whoever mistyped the filter needs no other folder."""
    begin(tmp_path, make_request(4))
    begin(tmp_path, make_request(5))
    with holding_state(tmp_path) as state:
        state.append(STEP)
        with pytest.raises(UsageError, match="another process"), holding_state(tmp_path):
            pass
    with pytest.raises(UsageError, match="--resume"):
        begin(tmp_path, make_request(4))
    with pytest.raises(UsageError, match="holds no bisection"):
        request_in(tmp_path / "elsewhere")


def test_a_full_disk_is_said_in_one_line(tmp_path: Path, make_request: Any) -> None:
    """And the step does not count."""
    begin(tmp_path, make_request(4))
    with holding_state(tmp_path) as state, ExitStack() as stack:
        state.file = stack.enter_context(Path("/dev/full").open("ab", buffering=0))
        with pytest.raises(StorageError, match="--resume"):
            state.append(STEP)
        assert state.entries == []
