"""Runs that are interrupted or killed half way, and then resumed."""

from __future__ import annotations

import re
import signal
from typing import TYPE_CHECKING, Any

import pytest

from opperf.storing import RunDirectory
from opperf.storing.manifest import MODEL_RUN
from tests.conftest import PATIENCE, told

if TYPE_CHECKING:
    from pathlib import Path
    from subprocess import Popen

LONG = ("-k", "name=Dawdler", "--framework", "toy", "--size", "all", "--runs", "9", "--warmup", "0")
"""Four tasks of about half a second or more."""
MEASURING = "opperf.measuring.children.timing"
HUNG = ("-k", "name in (Sleeper, Double)", "--framework", "toy", "--size", "small", "--runs", "6")
STUCK = ("-k", "name=StuckInC", "--framework", "toy", "--size", "small")
ALL_SIZES = [("Dawdler", size, "forward") for size in ("small", "typical", "large", "skewed")]


def start(toy: Any, *arguments: str) -> Popen[str]:
    """Start a run and return when its first row is stored."""
    process: Popen[str] = toy.start("run", *arguments)
    toy.wait_for(toy.stored)
    return process


def closed(toy: Any) -> Path:
    """Return a file in whose presence Dawdler's second size does not end, but writes to it."""
    gate: Path = toy.directory / "gate"
    gate.write_text("")
    return gate


def wait_for_line(process: Popen[str], words: str) -> None:
    """Read what a run says until a line has these words."""
    assert process.stderr
    line = ""
    while words not in line:
        line = process.stderr.readline()
        assert line, f"the run ended without: {words}"


def start_hanging(toy: Any, *arguments: str) -> Popen[str]:
    """Start a run and return when its child hangs, with a process of its own where it has one."""
    process: Popen[str] = toy.start("run", *arguments)
    toy.wait_for(toy.runs)
    wanted = "time.sleep" if "name=StuckInC" not in arguments else MEASURING
    toy.wait_for(lambda: toy.running(wanted))
    return process


def test_ctrl_c_finishes_the_operator(toy: Any) -> None:
    """Once: the operator in hand is measured and stored, then the run ends and can be resumed.

    The exit code says so even where that of failed operators is not wanted.
    """
    gate = closed(toy)
    process = toy.start("run", *LONG, "--exit-zero", "--env", f"TOY_DAWDLING={gate}")
    toy.wait_for(gate.read_text)
    process.send_signal(signal.SIGINT)
    wait_for_line(process, "finishing this operator; Ctrl-C again to end it at once")
    gate.unlink()
    stdout, stderr = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert toy.rows() == ALL_SIZES[:2]
    assert {r["status"] for r in toy.records()} <= {"ok", "noisy"}
    assert "Dawdler" in stdout, "what there is is shown"
    assert f"go on with: opperf resume {toy.runs()[0].name}" in stderr
    toy.wait_for(lambda: not toy.survivors())
    assert toy.run("resume", "last").returncode == 0
    assert toy.rows() == ALL_SIZES


def test_ctrl_c_twice_ends_at_once(toy: Any) -> None:
    """The child is ended in the middle of its operator, and what it had started with it."""
    process = start_hanging(toy, *HUNG)
    process.send_signal(signal.SIGINT)
    wait_for_line(process, "Ctrl-C again")
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "Traceback" not in stderr
    assert toy.records() == []
    toy.wait_for(lambda: not toy.survivors())


def test_ctrl_c_while_a_framework_loads(command_line: Any, tmp_path: Path) -> None:
    """Nothing is measured yet, but the run is there to go on with; the child is ended."""
    slow = tmp_path / "site" / "mxnet"
    slow.mkdir(parents=True)
    slow.joinpath("__init__.py").write_text("import time; time.sleep(1000)")
    opperf = command_line(tmp_path, str(slow.parent))
    process = opperf.start("run", "-k", "name=Add", "--framework", "mxnet", "--size", "small")
    opperf.wait_for(lambda: opperf.running(MEASURING))
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=PATIENCE)
    (run,) = opperf.runs()
    lines = [f"opperf: go on with: opperf resume {run.name}", "opperf: interrupted"]
    assert (process.returncode, told(stderr)) == (130, lines)
    opperf.wait_for(lambda: not opperf.survivors())


def test_ctrl_c_while_the_framework_of_a_network_loads(command_line: Any, tmp_path: Path) -> None:
    """No step is timed yet, but the run is there for `resume`, which notes the versions."""
    slow = tmp_path / "site" / "mxnet"
    slow.mkdir(parents=True)
    slow.joinpath("__init__.py").write_text("import time; time.sleep(1000)")
    opperf = command_line(tmp_path, str(slow.parent))
    words = ("alexnet", "--framework", "mxnet", "--batch_size", "1")
    process = opperf.start("model", *words)
    opperf.wait_for(lambda: opperf.running("opperf.networks.measuring.child"))
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=PATIENCE)
    (run,) = opperf.runs()
    lines = [f"opperf: go on with: opperf resume {run.name}", "opperf: interrupted"]
    assert (process.returncode, told(stderr)) == (130, lines)
    opperf.wait_for(lambda: not opperf.survivors())
    manifest = RunDirectory(run).manifest()
    assert (manifest["kind"], manifest["packages"]) == (MODEL_RUN, {})


def test_a_request_to_terminate_ends_at_once(toy: Any) -> None:
    """SIGTERM does not wait for an operator; what is stored stays."""
    process = start_hanging(toy, *HUNG)
    process.terminate()
    _, stderr = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "go on with: opperf resume" in stderr
    toy.wait_for(lambda: not toy.survivors())


def test_a_killed_run_leaves_no_process_and_loses_no_row(toy: Any) -> None:
    """After kill -9, children and grandchildren go by themselves, and the run can be resumed."""
    chosen = "name in (Dawdler, Sleeper, Double)"
    limits = ("--size", "small", "--runs", "6", "--timeout", "10")
    process = toy.start("run", "-k", chosen, "--framework", "toy", *limits)
    toy.wait_for(lambda: toy.running("time.sleep"))
    process.kill()
    process.communicate(timeout=PATIENCE)
    toy.wait_for(lambda: not toy.survivors())
    assert toy.rows() == [("Dawdler", "small", "forward")]
    (before,) = toy.records()
    run = toy.run("resume", "last")
    assert run.returncode == 11
    assert re.search("timeout: Sleeper", run.stdout)
    rows = toy.rows()
    assert len(rows) == len(set(rows)) == 6
    assert toy.records()[0] == before
    assert {r["run_id"] for r in toy.records()} == {toy.runs()[0].name}


def test_a_killed_run_takes_a_child_with_it_that_nothing_wakes(toy: Any) -> None:
    """Native code that keeps Python's lock stops every thread, but not what guards the child."""
    process = start_hanging(toy, *STUCK)
    process.kill()
    process.communicate(timeout=PATIENCE)
    toy.wait_for(lambda: not toy.survivors())


def test_a_complete_run_can_be_resumed(toy: Any) -> None:
    """There is nothing left to measure; its results are shown again, with the same exit code."""
    arguments = ("-k", "name in (Double, Liar)", "--framework", "toy", "--size", "small")
    first = toy.run("run", *arguments, "--runs", "6")
    again = toy.run("resume", "last")
    assert (first.returncode, again.returncode) == (11, 11)
    assert again.stdout == first.stdout
    assert len(toy.rows()) == len(set(toy.rows())) == 5


@pytest.mark.parametrize("verb", ["run", "resume"])
def test_a_run_in_progress_cannot_be_resumed(toy: Any, verb: str) -> None:
    """The journal has one writer; the second is refused in one line, and harms nothing."""
    gate = closed(toy)
    process = toy.start("run", *LONG, "--env", f"TOY_DAWDLING={gate}")
    toy.wait_for(gate.read_text)
    if verb == "resume":
        process.kill()
        process.communicate(timeout=PATIENCE)
        toy.wait_for(lambda: not toy.survivors())
        closed(toy)
        process = toy.start("resume", "last")
        toy.wait_for(gate.read_text)
    second = toy.run("resume", "last")
    gate.unlink()
    process.communicate(timeout=PATIENCE)
    assert second.returncode == 2
    (line,) = told(second.stderr)
    assert "is being written by another process; wait until it ends, or stop it" in line
    assert process.returncode == 0
    assert toy.rows() == ALL_SIZES


def test_given_inputs_are_resumed_as_they_were_given(toy: Any) -> None:
    """Also where no size stands for them: a row that is there is not measured again."""
    given = ("--input", "data=(5,4)", "-k", "name in (Dawdler, Double)", "--framework", "toy")
    process = start(toy, *given, "--runs", "6")
    process.kill()
    process.communicate(timeout=PATIENCE)
    assert toy.run("resume", "last").returncode == 0
    assert len(toy.records()) == len(set(toy.rows())) == 5
    assert {tuple(r["inputs"][0]["shape"]) for r in toy.records()} == {(5, 4)}


def test_ctrl_c_before_the_first_row_leaves_a_run_to_resume(toy: Any, tmp_path: Path) -> None:
    """While the framework loads: the run is there, holds nothing, and is gone on with."""
    gate = tmp_path / "gate"
    chosen = (*LONG[:4], "--size", "small", "--runs", "6", "--env", f"TOY_LOADING={gate}")
    process = toy.start("run", *chosen)
    toy.wait_for(gate.exists)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    (run,) = toy.runs()
    assert f"go on with: opperf resume {run.name}" in stderr
    toy.wait_for(lambda: not toy.survivors())
    done = toy.run("resume", "last")
    assert done.returncode == 0, done.stderr
    assert toy.rows() == ALL_SIZES[:1]
