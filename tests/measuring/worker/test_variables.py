"""What a child inherits."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import opperf
from opperf.measuring.worker.variables import ROOT, child_variables

if TYPE_CHECKING:
    import pytest


def test_a_child_inherits_what_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A way to opperf first, then the user's own; nothing that is not on the list."""
    monkeypatch.setenv("PYTHONPATH", "/user/modules")
    monkeypatch.setenv("UNRELATED", "1")
    monkeypatch.setenv("MXNET_API_KEY", "1")
    found = child_variables("numpy", 1, {"OMP_NUM_THREADS": "3", "MINE": "4"})
    assert found["PYTHONPATH"] == f"{ROOT}{os.pathsep}/user/modules"
    assert not {"UNRELATED", "MXNET_API_KEY"} & set(found)
    assert (found["OMP_NUM_THREADS"], found["MINE"]) == ("3", "4")
    assert found["PATH"] == os.environ["PATH"]
    assert "mmap_threshold" in found["GLIBC_TUNABLES"]


def test_a_child_finds_this_opperf_installed_or_not() -> None:
    """Another interpreter may have none, or another one, which must not be measured with."""
    asked = "from importlib.util import find_spec; print(find_spec('opperf').origin)"
    variables = {"PYTHONPATH": child_variables("numpy", 1, {})["PYTHONPATH"], "PYTHONSAFEPATH": "1"}
    found = subprocess.run(
        [sys.executable, "-S", "-c", asked],  # -S: without what is installed
        env=variables, cwd="/", capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert found.stdout.strip() == opperf.__file__
