"""A results file's worth of what a run would measure, and processes that write it."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any

import pytest

from opperf.core.results.result import Result

MakeResult = Callable[..., Result]
Start = Callable[..., Popen[str]]

PREAMBLE = """\
import itertools, json, os, resource, signal, sys, time
from pathlib import Path
from subprocess import PIPE, Popen
from msgspec.structs import replace
from opperf.core.errors import OpperfError
from opperf.core.results.reading import from_mapping
from opperf.storing import Journal

path, result = Path(sys.argv[1]), from_mapping(json.loads(sys.argv[2]))
numbered = (replace(result, result_id=f"r{n}") for n in itertools.count())
"""


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
