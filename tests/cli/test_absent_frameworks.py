"""Machines on which a framework is not installed, or cannot be imported."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.frameworks.registry import find_framework
from tests.conftest import told

if TYPE_CHECKING:
    from pathlib import Path

EXP = ("-k", "name=Exp and direction=forward", "--size", "small", "--runs", "6")
HIDE = "import sys\nsys.modules.update(dict.fromkeys({names!r}))\n"
"""Python imports a module of this name first of all, in children too: then these are not there."""


@pytest.fixture
def without(command_line: Any, tmp_path: Path) -> Any:
    """Return a function that returns a command line which does not see these modules."""

    def hide(*names: str) -> Any:
        site = tmp_path / "site"
        site.mkdir()
        site.joinpath("sitecustomize.py").write_text(HIDE.format(names=names))
        folder = tmp_path / "here"
        folder.mkdir()
        return command_line(folder, str(site))

    return hide


def test_a_framework_that_is_asked_for_and_absent_is_named(without: Any) -> None:
    """With the extra that installs it, by every verb that would need it; nothing is written."""
    opperf = without("mxnet")
    for arguments in (("run", *EXP), ("env",)):
        run = opperf.run(*arguments, "--framework", "mxnet")
        assert run.returncode == 2
        assert told(run.stderr) == [
            (
                "opperf: framework 'mxnet' is not installed here; "
                "install it with: pip install 'opperf[mxnet]'"
            )
        ]
    assert list(opperf.directory.iterdir()) == []


def test_the_other_one_is_measured(without: Any) -> None:
    """A run that names no framework takes those that are there."""
    if not find_framework("pytorch").is_installed():
        pytest.skip("pytorch is not installed")
    opperf = without("mxnet")
    assert opperf.run("run", *EXP).returncode == 0
    assert [r["operator"]["framework"] for r in opperf.records()] == ["pytorch"]


def test_without_any_framework_the_rest_works(without: Any) -> None:
    """Only a run that would measure one has nothing to do; NumPy is still there by name."""
    opperf = without("mxnet", "torch")
    run = opperf.run("run", *EXP)
    assert run.returncode == 2
    assert told(run.stderr) == [
        (
            "opperf: no framework to measure is installed; install one with: "
            "pip install 'opperf[mxnet]' or pip install 'opperf[pytorch]'"
        )
    ]
    listed = json.loads(opperf.run("list", "-k", "name=Add", "--format", "json").stdout)
    assert listed[0]["frameworks"] == {
        "mxnet": "ok",
        "pytorch": "ok",
        "numpy": "ok",
        "onnxruntime": "ok",
    }
    assert json.loads(opperf.run("env", "--format", "json").stdout)["framework"] is None
    assert opperf.run("run", *EXP, "--framework", "numpy").returncode == 0
    assert opperf.run("show").returncode == 0


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("raise ImportError('libgomp.so.1: cannot open')", "cannot be imported: libgomp.so.1: can"),
        ("import numpy; numpy.no_such_name", "cannot be imported: module 'numpy' has no attribute"),
        ("import os; os.abort()", "did not load: the measuring process ended with status -6"),
    ],
)
def test_a_framework_that_breaks_while_it_loads_is_one_line(
    command_line: Any, tmp_path: Path, source: str, message: str
) -> None:
    """As MXNet does with a NumPy that is too new: the reason is shown, not its traceback."""
    broken = tmp_path / "site" / "mxnet"
    broken.mkdir(parents=True)
    broken.joinpath("__init__.py").write_text(source)
    opperf = command_line(tmp_path, str(broken.parent))
    run = opperf.run("run", *EXP, "--framework", "mxnet")
    assert run.returncode == 2
    (line,) = told(run.stderr)
    assert line.startswith(f"opperf: framework 'mxnet' {message}")
    if "numpy" in source:
        assert "has no attribute 'no_such_name'" in line
    assert not opperf.runs()


@pytest.mark.parametrize(
    ("source", "status", "reason"),
    [
        ("raise ImportError('libgomp.so.1: cannot open')", "failed", "libgomp.so.1"),
        ("import os; os.abort()", "crashed", "did not load"),
        ("import sys; sys.exit(0)", "crashed", "did not load"),
    ],
)
def test_a_framework_that_breaks_refuses_no_other(
    command_line: Any, tmp_path: Path, source: str, status: str, reason: str
) -> None:
    """Its rows say why they have no time, the other one's have theirs, and the exit code is 11."""
    broken = tmp_path / "site" / "mxnet"
    broken.mkdir(parents=True)
    broken.joinpath("__init__.py").write_text(source)
    opperf = command_line(tmp_path, str(broken.parent))
    run = opperf.run("run", *EXP, "--framework", "mxnet,numpy")
    assert run.returncode == 11, run.stderr
    found = {r["operator"]["framework"]: r for r in opperf.records()}
    assert found["numpy"]["status"] in ("ok", "noisy")
    assert found["mxnet"]["status"] == status
    assert reason in found["mxnet"]["reason"]
    assert "Traceback" not in run.stderr
    assert opperf.run("resume", "last").returncode == 11


BROKEN = {
    "exits": "import sys; sys.exit(0)",
    "raises": "raise ValueError('no such thing')",
    "lists": "TABLES = [1]",
    "numbers": "TABLES = {'numpy': 3}",
    "names": "TABLES = {'nosuch': {}}",
    "implements": "TABLES = {'numpy': {int: 'numpy.add'}}",
}


@pytest.mark.parametrize("verb", [("list",), ("run", *EXP, "--framework", "numpy"), ("show",)])
@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_plug_in_is_one_line_and_2(
    command_line: Any, tmp_path: Path, kind: str, verb: tuple[str, ...]
) -> None:
    """However it breaks: it is named, and no verb ends in silence as if all were well."""
    info = tmp_path / "site" / "broken-1.0.dist-info"
    info.mkdir(parents=True)
    info.joinpath("METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    info.joinpath("entry_points.txt").write_text("[opperf.operators]\nbroken = broken_one\n")
    info.parent.joinpath("broken_one.py").write_text(BROKEN[kind] + "\n")
    run = command_line(tmp_path, str(info.parent)).run(*verb)
    (line,) = told(run.stderr)
    if verb == ("show",):  # it may need no operator
        assert run.returncode == 2
        return
    assert run.returncode == 2
    assert "plug-in 'broken' (broken_one) cannot be loaded" in line
    assert "mend or uninstall it" in line


def test_ctrl_c_while_modules_are_imported_is_one_line(command_line: Any, tmp_path: Path) -> None:
    """In the first tenths of a second nothing of a command has begun."""
    site = tmp_path / "site"
    site.mkdir()
    site.joinpath("sitecustomize.py").write_text(INTERRUPTING)
    run = command_line(tmp_path, str(site)).run("list")
    assert (run.returncode, run.stderr) == (130, "opperf: interrupted\n")


INTERRUPTING = """
import sys

class Finder:
    def find_spec(self, name, *_):
        if name == "opperf.cli.parser":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Finder())
"""
