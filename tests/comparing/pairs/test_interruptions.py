"""Comparisons that are interrupted, killed or begun twice, and what is left of them."""

from __future__ import annotations

import json
import os
import resource
import signal
from typing import TYPE_CHECKING

import pytest

from tests.conftest import PATIENCE, told

if TYPE_CHECKING:
    from tests.conftest import CommandLine

ARMS = ("ab", "--a", ".", "--b", ".", "--framework", "numpy", "--size", "small")
ABOUT = ("-k", "name in (Exp, Log, Sqrt, Square, Tanh, Negative)", "--most-sessions", "6")


def test_ctrl_c_leaves_what_can_be_resumed(opperf: CommandLine) -> None:
    """Exit 130; the rest is measured later, and no session is lost or done twice."""
    process = opperf.start(*ARMS, *ABOUT)
    opperf.wait_for(lambda: opperf.runs() and opperf.stored() > 2)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert f"go on with: opperf resume {opperf.runs()[0].name}" in stderr
    opperf.wait_for(lambda: not opperf.survivors())
    before = opperf.records()
    done = opperf.run("resume", "last", "--quiet", "--format", "json")
    assert done.returncode in {0, 10, 13}, done.stderr
    after = opperf.records()
    assert after[: len(before)] == before
    assert all(row["sessions"] >= 6 for row in json.loads(done.stdout) if not row["control"])
    sessions = [
        (pair["session"], pair["operator"]["name"]) for pair in after if pair["ratio"] is not None
    ]
    assert len(set(sessions)) == len(sessions)


def test_kill_9_loses_one_pair_at_most(opperf: CommandLine) -> None:
    """And leaves no process."""
    process = opperf.start(*ARMS, *ABOUT)
    opperf.wait_for(lambda: opperf.runs() and opperf.stored() > 1)
    process.kill()
    process.communicate(timeout=PATIENCE)
    opperf.wait_for(lambda: not opperf.survivors())
    stored = opperf.stored()
    shown = opperf.run("show", "last", "--format", "json")
    assert len(json.loads(shown.stdout)) <= stored
    assert shown.returncode == 0


def limit_files() -> None:
    """Let no file of this process grow beyond the inputs of an operator, and some pairs."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000))


def test_a_full_disk_ends_a_comparison_that_resume_completes(opperf: CommandLine) -> None:
    """One line says what to do; what was stored stays, and nothing is torn or done twice."""
    process = opperf.start(*ARMS, *ABOUT, "--quiet", preexec_fn=limit_files)
    _, stderr = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    line = told(stderr)[-1]
    assert "File too large; free space, then `opperf resume" in line
    opperf.wait_for(lambda: not opperf.survivors())
    before = opperf.records()
    assert before
    done = opperf.run("resume", "last", "--quiet", "--format", "json")
    assert done.returncode in {0, 10, 13}, done.stderr
    after = opperf.records()
    assert after[: len(before)] == before
    ids = [(pair["session"], pair["operator"]["name"], pair["purpose"]) for pair in after]
    assert len(set(ids)) == len(ids)


def test_two_at_once_would_both_be_wrong(opperf: CommandLine) -> None:
    """The second says so and ends with 2, or waits where it is told to."""
    first = opperf.start(*ARMS, *ABOUT)
    opperf.wait_for(opperf.runs)
    second = opperf.run(*ARMS, "-k", "name=Exp")
    assert second.returncode == 2
    assert "another comparison is being measured on this machine" in second.stderr
    assert "--wait" in second.stderr
    waiting = opperf.start(
        *ARMS, "-k", "name=Exp", "--wait", "--sessions", "1", "--most-sessions", "1"
    )
    first.send_signal(signal.SIGINT)
    first.communicate(timeout=PATIENCE)
    waiting.communicate(timeout=PATIENCE)
    assert waiting.returncode in {0, 13}
    assert len(opperf.runs()) == 2


def test_a_link_in_the_place_of_the_lock_is_not_followed(opperf: CommandLine) -> None:
    """Anybody may write into /tmp; the file it points to stays what it was."""
    victim = opperf.directory / "precious"
    victim.write_text("mine")
    (opperf.directory / f"opperf-{os.getuid()}.lock").symlink_to(victim)
    done = opperf.run(*ARMS, "-k", "name=Exp", TMPDIR=str(opperf.directory))
    assert done.returncode == 2
    assert "remove it" in done.stderr
    assert victim.read_text() == "mine"


def test_a_budget_ends_it_between_sessions(opperf: CommandLine) -> None:
    """What is undecided then stays so, and is said to be."""
    done = opperf.run(*ARMS, "-k", "name=Exp", "--budget", "1ms")
    assert done.returncode == 0, done.stderr
    assert "the budget is spent" in done.stderr
    assert "fewer than 6 sessions" in done.stdout


def test_an_arm_that_has_changed_is_not_mixed_in(opperf: CommandLine) -> None:
    """A comparison goes on with the versions it was begun with."""
    opperf.run(*ARMS, "-k", "name=Exp", "--budget", "1ms")
    arms = opperf.runs()[0] / "arms.json"
    found = json.loads(arms.read_text())
    found["b"]["framework_version"] = "0.0"
    arms.write_text(json.dumps(found))
    manifest = opperf.runs()[0] / "run.json"
    manifest.write_text(manifest.read_text().replace('"budget": 0.001', '"budget": null'))
    done = opperf.run("resume", "last", "--quiet")
    assert done.returncode == 2
    assert "arm b" in done.stderr
    assert "start a new comparison" in done.stderr


def test_a_damaged_manifest_is_one_line(opperf: CommandLine) -> None:
    """It names the file and the field."""
    opperf.run(*ARMS, "-k", "name=Exp", "--budget", "1ms")
    manifest = opperf.runs()[0] / "run.json"
    found = json.loads(manifest.read_text())
    for field in ("rules", "arms"):
        manifest.write_text(json.dumps({**found, field: {"x": 1}}))
        done = opperf.run("resume", "last")
        assert done.returncode == 2
        assert f"run.json: field '{field}." in done.stderr
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"a": 1}'])
def test_damaged_facts_of_the_arms_are_one_line(opperf: CommandLine, damage: str) -> None:
    """Whether the arms are still the same cannot be told from them."""
    opperf.run(*ARMS, "-k", "name=Exp", "--budget", "1ms")
    (opperf.runs()[0] / "arms.json").write_text(damage)
    manifest = opperf.runs()[0] / "run.json"
    manifest.write_text(manifest.read_text().replace('"budget": 0.001', '"budget": null'))
    done = opperf.run("resume", "last", "--quiet")
    assert done.returncode == 2
    (line,) = told(done.stderr)
    assert "arms.json" in line
