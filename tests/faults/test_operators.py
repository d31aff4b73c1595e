"""Operators that fail in every way, on a plugged-in framework and on the real ones."""

from __future__ import annotations

from typing import Any

import pytest

from opperf.core.frameworks.registry import find_framework

ENDINGS = {
    "Segfault": ("crashed", "SIGSEGV", "killed by SIGSEGV"),
    "Sleeper": ("timeout", None, "no answer within 6 s"),
    "Hoarder": ("out_of_memory", None, "Unable to allocate"),
    "Thrower": ("out_of_memory", None, "std::bad_alloc"),
    "Liar": ("wrong_result", None, "where the reference is"),
    "Raiser": ("failed", None, "RuntimeError: the toy refuses"),
    "Exiter": ("crashed", None, "ended with status 9"),
    "StuckInC": ("timeout", None, "no answer within 6 s"),
    "Chatty": ("crashed", "SIGABRT", "killed by SIGABRT"),
}
"""Each fault's status, its signal, and a passage of the reason."""
DIRECTIONS = ("forward", "forward_recorded", "backward", "forward_backward")
GOOD = [
    ("Fragile", "forward"),
    *((name, direction) for name in ("Add", "Double") for direction in DIRECTIONS),
]
QUICK = ("--size", "small", "--runs", "6", "--warmup", "0")


@pytest.fixture(scope="module")
def faulty(command_line: Any, plugin: str, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return a command line, with what came of a run of all faults between two good operators."""
    opperf = command_line(tmp_path_factory.mktemp("faults"), plugin)
    chosen = f"name in (Add, Double, Fragile, {', '.join(ENDINGS)})"
    limits = ("--timeout", "6", "--memory-limit", "400MB")
    opperf.outcome = opperf.run("run", "-k", chosen, "--framework", "toy", *QUICK, *limits)
    return opperf


def record_of(opperf: Any, name: str) -> dict[str, Any]:
    """Return the one record of an operator."""
    (record,) = [r for r in opperf.records() if r["operator"]["name"] == name]
    return dict(record)


@pytest.mark.parametrize("name", ENDINGS)
def test_a_fault_is_one_row_with_its_status(faulty: Any, name: str) -> None:
    """Of all that can go wrong, each has its own status, signal and reason, and no time."""
    status, signal, reason = ENDINGS[name]
    record = record_of(faulty, name)
    assert (record["status"], record["signal"]) == (status, signal)
    assert reason in record["reason"]
    assert record["summary"] is None
    assert record["samples"] is None


def test_every_other_row_is_there_once(faulty: Any) -> None:
    """Operators before and after the faults have all their directions, and a time for each."""
    rows = [(r["operator"]["name"], r["operator"]["direction"]) for r in faulty.records()]
    assert sorted(rows) == sorted([*GOOD, *((name, "forward") for name in ENDINGS)])
    good = [r for r in faulty.records() if r["operator"]["name"] not in ENDINGS]
    assert {r["status"] for r in good} <= {"ok", "noisy"}
    assert len({r["result_id"] for r in faulty.records()}) == len(rows)


def test_the_exit_code_says_that_some_failed(faulty: Any) -> None:
    """11, a table with every fault, and no traceback of opperf's own."""
    assert faulty.outcome.returncode == 11
    assert all(name in faulty.outcome.stdout for name in ENDINGS)
    assert "Traceback" not in faulty.outcome.stderr


def test_nothing_is_left_running(faulty: Any) -> None:
    """Neither children nor what they had started: the sleeper's grandchild is gone too."""
    faulty.wait_for(lambda: not faulty.survivors())


def test_what_a_child_printed_is_kept_and_harmless(faulty: Any) -> None:
    """The end of it, at most 4 KiB, without what a terminal would obey."""
    said = record_of(faulty, "Chatty")["stderr"]
    assert "the last words" in said
    assert len(said.encode()) <= 4096
    assert not [letter for letter in said if ord(letter) < 32 and letter not in "\n\t"]
    assert not {"\x7f", "\x9b"} & set(said)
    assert "\x1b" not in faulty.outcome.stdout + faulty.outcome.stderr


def test_a_failure_s_output_is_in_a_log(faulty: Any) -> None:
    """One file a task that failed and had printed something, of 1 MiB at the most."""
    logs = sorted(faulty.runs()[0].glob("logs/*.log"))
    assert [log for log in logs if b"the last words" in log.read_bytes()]
    assert max(log.stat().st_size for log in logs) <= 2**20


def test_a_child_is_replaced_after_any_failure(faulty: Any) -> None:
    """Also after one that left it running: the next operator meets a fresh process."""
    assert record_of(faulty, "Fragile")["status"] in ("ok", "noisy")


def test_what_was_measured_before_a_crash_is_kept(toy: Any) -> None:
    """Of one operator's directions, those before it are results and those after it are skipped."""
    run = toy.run("run", "-k", "name in (Tripper, Double)", "--framework", "toy", *QUICK)
    assert run.returncode == 11
    *tripped, _, _, _, _ = toy.records()
    assert [r["operator"]["direction"] for r in tripped] == list(DIRECTIONS)
    before, also, crashed, after = tripped
    assert {before["status"], also["status"]} <= {"ok", "noisy"}
    assert (crashed["status"], crashed["signal"]) == ("crashed", "SIGSEGV")
    assert (after["status"], after["reason"]) == ("skipped", "not tried after crashed")


def test_a_crash_is_told_from_a_hang_with_the_pipes_in_other_hands(toy: Any) -> None:
    """What a crashed operator has started does not keep its end from being seen."""
    run = toy.run("run", "-k", "name=Orphaner", "--framework", "toy", *QUICK, "--timeout", "30")
    assert run.returncode == 11
    assert record_of(toy, "Orphaner")["signal"] == "SIGKILL"
    toy.wait_for(lambda: not toy.survivors())


@pytest.mark.parametrize("framework", ["mxnet", "pytorch"])
def test_faults_on_a_real_framework(toy: Any, framework: str) -> None:
    """The same holds where native code and the framework's own tensors are at work."""
    if not find_framework(framework).is_installed():
        pytest.skip(f"{framework} is not installed")
    names = ("Segfault", "Sleeper", "Hoarder", "Liar")
    chosen = f"name in (Add, {', '.join(names)})"
    limits = ("--timeout", "15", "--memory-limit", "1GB")
    run = toy.run("run", "-k", chosen, "--framework", framework, *QUICK, *limits)
    statuses = {r["operator"]["name"]: r["status"] for r in toy.records()}
    assert statuses.pop("Add") in ("ok", "noisy")
    assert statuses == {name: ENDINGS[name][0] for name in names}
    crash = record_of(toy, "Segfault")
    assert crash["signal"] == "SIGSEGV"
    assert "faults.py" in crash["stderr"], "the traceback says where"
    assert len(toy.records()) == len(names) + len(DIRECTIONS)
    assert run.returncode == 11
    toy.wait_for(lambda: not toy.survivors())
