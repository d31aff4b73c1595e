"""Unreliable times are measured once more at the end of a run, and what remains is said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from opperf.measuring import campaign
from opperf.storing import RunDirectory
from tests import records
from tests.conftest import told

if TYPE_CHECKING:
    from opperf.core.results.result import Result

RUN = ("run", "-k", "name in (Exp, Negative) and direction=forward", "--framework", "numpy",
       "--size", "small", "--quick", "--retry", "yes")  # fmt: skip


@pytest.fixture
def become(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that says what becomes of the next measurements, one after the other.

    Each is a status, and what comes after a colon the precision of its time.
    """
    measure_task = campaign.measure_task
    statuses: list[str] = []

    def changed(*what: Any) -> list[Result]:
        found = []
        for result in measure_task(*what):
            if not statuses:
                raise KeyboardInterrupt
            status, _, precision = statuses.pop(0).partition(":")
            summary = {"warnings": [], **({"precision": float(precision)} if precision else {})}
            found.append(records.changed(result, status=status, summary=summary))
        return found

    def say(*next_ones: str) -> None:
        statuses[:] = next_ones

    monkeypatch.setattr(campaign, "measure_task", changed)
    return say


def lines(tmp_path: Path) -> list[dict[str, Any]]:
    """Return the records of the newest run's journal."""
    path = max(tmp_path.glob("runs/*/results.jsonl"))
    return [json.loads(line) for line in path.read_text().splitlines()]


def shown(call: Any) -> list[tuple[str, str]]:
    """Return what stands in the last run's table."""
    rows = json.loads(call("show", "last", "--format", "json").stdout)
    return [(row["operator"], row["status"]) for row in rows]


def test_an_unreliable_time_is_measured_once_more(call: Any, tmp_path: Path, become: Any) -> None:
    """The second result stands in its place; the journal keeps both, and says which is which."""
    become("noisy", "ok", "ok")
    run = call(*RUN)
    first, other, second = lines(tmp_path)
    assert first["supersedes"] is other["supersedes"] is None
    assert second["supersedes"] == first["result_id"]
    assert second["operator"]["name"] == first["operator"]["name"] == "Negative"
    assert second["memory"] == first["memory"]
    assert "measuring 1 unreliable times once more" in run.stderr
    assert "not to be relied on" not in run.stderr
    assert shown(call) == [("Negative", "ok"), ("Exp", "ok")]


def test_what_remains_unreliable_is_said_with_what_to_do(
    call: Any, tmp_path: Path, become: Any
) -> None:
    """Nothing is measured a third time but for the command that is printed, which works."""
    become("ok", "noisy", "noisy")
    run = call(*RUN)
    assert len(lines(tmp_path)) == 3
    assert "1 of 2 times are not to be relied on, 1 of them measured twice" in run.stderr
    assert "`opperf doctor`" in run.stderr
    (command,) = (
        line.partition("again: opperf ")[2] for line in told(run.stderr) if "again: " in line
    )
    become("ok")
    again = call(*command.split())
    assert again.returncode == 0
    assert [line["operator"]["name"] for line in lines(tmp_path)][2:] == ["Exp", "Exp"]
    assert shown(call) == [("Negative", "ok"), ("Exp", "ok")]


@pytest.mark.parametrize("where", [(), ("--store", "results.db")])
def test_of_two_unreliable_times_the_surer_is_shown(
    call: Any, tmp_path: Path, become: Any, where: tuple[str, ...]
) -> None:
    """In tables and from a store; asked for once more, the surest of all or a reliable one."""
    assert call("db", "init", "--store", "results.db").returncode == 0

    def precision() -> float:
        call("export", "last", *where, "--output-file", "last.json", "--force")
        (shown,) = json.loads(Path("last.json").read_text())
        return float(shown["summary"]["precision"])

    only = ("run", "-k", "name=Exp and direction=forward", *RUN[3:], "--store", "results.db")
    become("noisy:0.17", "noisy:0.6")
    assert "1 of 1 times are not to be relied on, 1 of them measured twice" in call(*only).stderr
    assert len(lines(tmp_path)) == 2
    assert precision() == 0.17
    again = ("resume", "last", "--unreliable", "--store", "results.db")
    for asked, shown in (("noisy:0.3", 0.17), ("noisy:0.1", 0.1), ("ok:0.9", 0.9)):
        become(asked)
        assert call(*again).returncode == 0
        assert precision() == shown
    assert len(lines(tmp_path)) == 5


def test_a_run_of_its_own_chooses_from_no_other(call: Any, tmp_path: Path, become: Any) -> None:
    """`--again` makes a further run: its results stand for themselves, however unsure."""
    only = ("run", "-k", "name=Exp and direction=forward", *RUN[3:])
    become("noisy:0.17", "noisy:0.6")
    assert call(*only).returncode == 0
    become("noisy:0.8", "noisy:0.9")
    again = ("run", "--again", "last", "--only", "noisy", "--quick", "--retry", "yes")
    assert call(*again).returncode == 0
    first, second = lines(tmp_path)
    assert (first["supersedes"], second["supersedes"]) == (None, first["result_id"])
    call("export", "last", "--output-file", "last.json")
    (shown,) = json.loads(Path("last.json").read_text())
    assert shown["result_id"] == first["result_id"]


def test_it_can_be_switched_off(call: Any, tmp_path: Path, become: Any) -> None:
    """Also for the run that goes on later, which is asked to do what was asked for then."""
    become("noisy", "ok")
    assert call(*RUN, "--retry", "no").returncode == 0
    assert call("resume", "last").returncode == 0
    assert len(lines(tmp_path)) == 2
    assert "expected yes or no" in call(*RUN, "--retry", "2").stderr


def test_a_run_ended_before_the_second_measurement_keeps_the_first(
    call: Any, tmp_path: Path, become: Any
) -> None:
    """A resumed run makes up for it, once."""
    become("ok", "noisy")
    assert call(*RUN).returncode == 130
    assert shown(call) == [("Negative", "ok"), ("Exp", "noisy")]
    become("noisy")
    assert call("resume", "last").returncode == 0
    assert len(lines(tmp_path)) == 3
    assert shown(call) == [("Negative", "ok"), ("Exp", "noisy")]
    become()
    assert call("resume", "last").returncode == 0
    assert len(lines(tmp_path)) == 3


def test_a_comparison_has_no_unreliable_times(call: Any, tmp_path: Path) -> None:
    """It takes further sessions by itself."""
    manifest = json.loads(Path(__file__).with_name("terminal").joinpath("ab/run.json").read_text())
    directory = RunDirectory.create(tmp_path / "runs", manifest)
    run = call("resume", "last", "--unreliable")
    assert run.returncode == 2
    assert f"--unreliable: {directory.run_id} is a comparison, not a run" in run.stderr


def test_trouble_in_the_second_measurement_is_not_hidden(
    call: Any, tmp_path: Path, become: Any
) -> None:
    """An operator that fails in one of two tries fails."""
    become("noisy", "ok", "failed")
    assert call(*RUN).returncode == 11
    assert len(lines(tmp_path)) == 3
    assert shown(call)[0] == ("Negative", "failed")


def test_a_number_of_samples_is_taken_once(call: Any, tmp_path: Path, become: Any) -> None:
    """Whoever asks for six samples gets these six."""
    become("noisy", "noisy")
    assert call(*RUN, "--runs", "6").returncode == 0
    assert len(lines(tmp_path)) == 2


def test_a_number_of_samples_is_taken_again_by_the_command_that_is_printed(
    call: Any, tmp_path: Path, become: Any
) -> None:
    """Whoever follows the advice of a run with `--runs` has its unreliable times measured."""
    become("noisy", "ok")
    run = call(*RUN, "--runs", "6")
    assert "--unreliable" in run.stderr
    become("ok")
    assert call("resume", "last", "--unreliable").returncode == 0
    assert [line["operator"]["name"] for line in lines(tmp_path)][2:] == ["Negative"]
    assert shown(call) == [("Negative", "ok"), ("Exp", "ok")]


def test_a_result_in_a_store_counts_once(call: Any, become: Any) -> None:
    """As in the run's own folder."""
    assert call("db", "init", "--store", "results.db").returncode == 0
    become("noisy", "ok", "ok")
    assert call(*RUN, "--store", "results.db").returncode == 0
    found = call("show", "last", "--store", "results.db", "--format", "json")
    assert [row["status"] for row in json.loads(found.stdout)] == ["ok", "ok"]
