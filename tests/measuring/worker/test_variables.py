"""What a child inherits."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import opperf
from opperf.measuring.worker.code_path import ROOT, code_path
from opperf.measuring.worker.variables import child_variables

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
    assert Path(found.stdout.strip()).samefile(opperf.__file__)


def test_an_installed_opperf_brings_nothing_else_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside it lie this interpreter's NumPy and frameworks, which are not those of an arm."""
    packages = tmp_path / "lib" / "site-packages"
    (packages / "opperf").mkdir(parents=True)
    (packages / "opperf" / "__init__.py").touch()
    (packages / "numpy.py").write_text("raise ImportError('of another interpreter')\n")
    for cache in (tmp_path / "cache", packages / "numpy.py"):  # which no folder can be made in
        monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
        code_path.cache_clear()
        folder = Path(code_path(packages))
        assert [path.name for path in folder.iterdir()] == ["opperf"]
        assert (folder / "opperf").samefile(packages / "opperf")
    assert code_path(tmp_path) == str(tmp_path)
