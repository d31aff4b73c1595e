"""`opperf ab --method`: fresh runs of both arms in turns, as of a script task."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.conftest import told

if TYPE_CHECKING:
    from pathlib import Path

ARMS = """
import os
import sys

from opperf.methods.benchmark import Benchmark


class Arm(Benchmark):
    def timed(self):
        value = float(os.environ["V"])
        with open("order", "a") as file:
            file.write(f"{value:g} ")
        metrics = [{"name": "goal", "value": value, "min_value": 0}]
        self.report_benchmark(iters=4, wall_time=value, metrics=metrics)

    def untimed(self):
        self.report_benchmark(metrics=[{"name": "goal", "value": float(os.environ["V"])}])

    def fails(self):
        if os.environ["V"] == "2":
            raise ValueError("no such arm")
        self.report_benchmark(wall_time=1.0)

    def python(self):
        print(sys.executable)
        assert "msgspec" not in sys.modules and "numpy" not in sys.modules
        self.report_benchmark(wall_time=1.0)

    if os.environ.get("V") == "2":
        def only_b(self):
            pass
"""
FEW = ("--sessions", "6", "--most-sessions", "6", "--format", "json")
FEWER = ("--sessions", "2", "--most-sessions", "2", "--format", "json")
VALUES = ("--a", "V=1", "--b", "V=2")


@pytest.fixture
def arms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of methods that differ by a variable."""
    (tmp_path / "arms.py").write_text(ARMS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_time_is_that_of_an_iteration(arms: Path, opperf: Any) -> None:
    """Runs alternate, a control goes with them, and nothing of those that work is kept."""
    found = opperf.run("ab", "--method", "arms.Arm.timed", *VALUES, *FEW)
    assert found.returncode == 10, found.stderr
    (row,) = [row for row in json.loads(found.stdout) if not row.get("control")]
    assert (row["operator"], row["verdict"], row["ratio"]) == ("arms.Arm.timed", "slower", 2.0)
    records = opperf.records()
    pairs = [pair for pair in records if pair["purpose"] != "control"]
    assert {(pair["a_seconds"], pair["b_seconds"]) for pair in pairs} == {(0.25, 0.5)}
    order = (arms / "order").read_text().split()
    controls = len(records) - len(pairs)
    assert (order.count("1"), order.count("2")) == (len(pairs) + 2 * controls, len(pairs))
    assert not [*arms.glob("runs/*/logs/*")]
    shown = opperf.run("show", "last", "--format", "json")
    assert json.loads(shown.stdout) == json.loads(found.stdout)


@pytest.mark.usefixtures("arms")
def test_a_metric_that_it_reports(opperf: Any) -> None:
    """A bound from below alone says that more is better; no time is needed."""
    flags = ("--metric", "goal", *FEWER)
    found = opperf.run("ab", "--method", "arms.Arm.timed,arms.Arm.untimed", *VALUES, *flags)
    assert found.returncode == 0, found.stderr
    rows = {row["operator"]: row for row in json.loads(found.stdout) if not row.get("control")}
    assert rows["arms.Arm.timed"]["verdict"] == "better"
    assert rows["arms.Arm.untimed"]["verdict"] == "different"
    assert {row["ratio"] for row in rows.values()} == {2.0}


def test_a_failure_in_an_arm_is_said(arms: Path, opperf: Any) -> None:
    """And its folder kept."""
    found = opperf.run("ab", "--method", "arms.Arm.fails", *VALUES, *FEWER)
    assert found.returncode == 10, found.stderr
    assert "newly_fails" in found.stdout
    assert "arm b: it raised ValueError: no such arm" in found.stdout
    assert [*arms.glob("runs/*/logs/*-b/*/perfzero.log")]


@pytest.mark.usefixtures("arms")
def test_an_arm_needs_nothing_but_its_python(opperf: Any, tmp_path: Path) -> None:
    """An environment without any package runs methods that need none."""
    bare = tmp_path / "bare"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", bare], check=True)
    python = str(bare / "bin" / "python")
    few = ("--sessions", "1", "--most-sessions", "1", "--format", "json")
    found = opperf.run("ab", "--method", "arms.Arm.python", "--a", ".", "--b", python, *few)
    assert found.returncode in {0, 10}, found.stderr
    pairs = [pair for pair in opperf.records() if pair["purpose"] == "comparison"]
    assert {(pair["a_status"], pair["b_status"]) for pair in pairs} == {("ok", "ok")}


def test_an_interrupted_comparison_goes_on(arms: Path, opperf: Any) -> None:
    """By its manifest, which has the methods."""
    found = opperf.run("ab", "--method", "arms.Arm.timed", *VALUES, *FEWER, "--budget", "1ms")
    before = len(opperf.records())
    (run,) = opperf.runs()
    manifest = json.loads((run / "run.json").read_text())
    assert manifest["methods"] == ["arms.Arm.timed"], found.stderr
    for field, wrong in (("methods", 5), ("time_limit", "x"), ("python_paths", [1])):
        (run / "run.json").write_text(json.dumps(manifest | {field: wrong}))
        damaged = opperf.run("resume", "last")
        assert (damaged.returncode, len(told(damaged.stderr))) == (2, 1), damaged.stderr
        assert field in damaged.stderr
    (run / "run.json").write_text(json.dumps(manifest | {"budget": None}))
    found = opperf.run("resume", "last")
    assert found.returncode in {0, 10}, found.stderr
    assert len(opperf.records()) > before
    assert (arms / "order").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["arms.Arm.tmed"], "arm a: unknown method 'tmed' of arms.Arm; did you mean 'timed'?"),
        (["arms.Arm.only_b"], "arm a: unknown method 'only_b'"),
        (["arms.Arm.filter:[to]"], "arm a has no arms.Arm.only_b, which arm b has"),
        (["arms.Arm.timed", "-k", "name=Add"], "-k: is of operators; leave it out beside --method"),
        (["arms.Arm.timed", "--task", "t"], "--task: is of operators; leave it out beside"),
        (["arms.Arm.timed", "--python-path", "no"], "--python-path no: there is no such directory"),
    ],
)
def test_wrong_arguments(arguments: list[str], message: str, arms: Path, opperf: Any) -> None:
    """One line, and nothing is run."""
    found = opperf.run("ab", "--method", *arguments, *VALUES)
    assert found.returncode == 2
    assert message in found.stderr
    assert not opperf.runs()
    assert not (arms / "order").exists()


@pytest.mark.usefixtures("arms")
def test_a_metric_that_no_arm_reports_is_told_the_nearest(opperf: Any) -> None:
    """After the first session, since nobody knows before it."""
    found = opperf.run("ab", "--method", "arms.Arm.timed", *VALUES, "--metric", "gaol", *FEWER)
    assert found.returncode == 2
    assert "unknown metric 'gaol'; did you mean 'goal'?" in found.stderr
    assert "Traceback" not in found.stderr
