"""The process that plans sessions, and how it ends."""

from __future__ import annotations

import shutil
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

import psutil
import pytest

from opperf.commits.bisection.measurement import SessionProcess
from opperf.core.errors import UsageError
from opperf.planning.selection import Selection

if TYPE_CHECKING:
    from pathlib import Path

LIMITS = {"timeout": 60.0, "compile_timeout": 60.0, "memory": None}
PYTHONS = (sys.executable, sys.executable)


def sessions(folder: Path, planner: str | None, text: str = "name=Add") -> SessionProcess:
    """Return what carries out sessions of an operator."""
    selection = asdict(Selection(text=text, frameworks=("numpy",), sizes=("small",)))
    return SessionProcess(selection=selection, limits=LIMITS, folder=folder, planner=planner)


def test_what_breaks_off_is_an_error_of_one_line(tmp_path: Path) -> None:
    """With the exit status; the next session starts a process of its own."""
    planner = shutil.which("false")
    made = sessions(tmp_path, planner)
    for _ in range(2):
        with pytest.raises(UsageError, match="a session broke off, exit status 1") as error:
            made.measure(1, PYTHONS)
        assert "\n" not in str(error.value)
    made.close()


def test_commits_get_no_path_of_the_user_and_no_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PYTHONPATH may lead to the work tree, whose package both arms would import."""
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "work-tree"))
    monkeypatch.setenv("UPLOAD_TOKEN", "hidden")
    script = tmp_path / "python"
    script.write_text(f"#!/bin/sh\nenv > {tmp_path}/variables\n")
    script.chmod(0o755)
    made = sessions(tmp_path, None)
    with pytest.raises(UsageError, match="broke off"):
        made.measure(1, (str(script), str(script)))
    said = (tmp_path / "variables").read_text()
    assert "PYTHONPATH=" in said
    assert "work-tree" not in said
    assert "hidden" not in said


def test_one_process_plans_all_sessions_and_leaves_nothing(tmp_path: Path) -> None:
    """A request that cannot be carried out does not end it; closing it does."""
    made = sessions(tmp_path, None, "name=Adds")
    with pytest.raises(UsageError, match="did you mean 'Add'"):
        made.measure(1, PYTHONS)
    made.selection = {**made.selection, "text": "name=Add and direction=forward"}
    assert made.process
    process = psutil.Process(made.process.pid)
    found = made.measure(2, PYTHONS)
    assert len(found.rows) == 1
    assert found.rows.keys() == found.plans.keys()
    assert made.process.pid == process.pid
    made.close()
    assert not process.is_running()
