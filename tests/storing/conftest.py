"""A results file's worth of what a run would measure, and processes that write it."""

import json
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any

import pytest

from opperf.core.result import Result

MakeResult = Callable[..., Result]
Start = Callable[..., Popen[str]]

PREAMBLE = """\
import itertools, json, os, resource, signal, sys, time
from dataclasses import replace
from pathlib import Path
from subprocess import PIPE, Popen
from opperf.core.errors import OpperfError
from opperf.core.result import from_mapping
from opperf.storing import Journal

path, result = Path(sys.argv[1]), from_mapping(json.loads(sys.argv[2]))
numbered = (replace(result, result_id=f"r{n}") for n in itertools.count())
"""


@pytest.fixture(scope="session")
def make_result() -> MakeResult:
    """Return a function that makes a valid result, with the given fields."""
    numbers = count(1)

    def make(**changes: Any) -> Result:
        fields: dict[str, Any] = {
            "result_id": f"{next(numbers):032x}",
            "run_id": "20261121T031502-7f3a9c",
            "started_at": "2026-11-21T03:15:02.123+00:00",
            "opperf_version": "0.1.0",
            "status": "ok",
            "operator": {
                "name": "Add",
                "category": "arithmetic",
                "framework": "numpy",
                "direction": "forward",
                "device": "cpu",
                "size": "small",
                "fused": None,
                "implementation": "numpy.add",
            },
            "inputs": ({"name": "lhs", "shape": [2, 3], "dtype": "float32", "nbytes": 24},),
            "series_key": "0" * 16,
            "definition_key": "1" * 16,
            "samples": {
                "seconds": [1.5e-6, 1.25e-6, 1.75e-6],
                "iterations": 100,
                "first_call": 2e-6,
                "null": 0.0,
            },
            "summary": {
                "n": 3,
                "median": 1.5e-6,
                "interval": None,
                "precision": None,
                "warnings": [],
            },
        }
        return Result(**(fields | changes))

    return make


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the journal of a run."""
    directory = tmp_path / "20261121T031502-7f3a9c"
    directory.mkdir()
    return directory / "results.jsonl"


@pytest.fixture
def start(tmp_path: Path, make_result: MakeResult) -> Start:
    """Return a function that starts a process with a program, a path, a `result` and others."""

    def start_process(program: str, path: Path, result: Result | None = None) -> Any:
        script = tmp_path / "script.py"
        script.write_text(PREAMBLE + program)
        command = [sys.executable, script, path, json.dumps((result or make_result()).to_mapping())]
        return Popen(command, stdout=PIPE, text=True)

    return start_process
