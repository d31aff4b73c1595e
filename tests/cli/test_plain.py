"""`opperf run --plain` and `--cores`: what is measured so is never taken for what is not."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from opperf.cli import main
from opperf.core.machine import affinity
from opperf.core.machine.affinity import usable_cores
from tests.conftest import told

if TYPE_CHECKING:
    from pathlib import Path

RUN = ["run", "-k", "name=Add and direction=forward", "--framework", "numpy", "--size", "small"]
FEW = ["--runs", "6", "--warmup", "0", "--quiet"]


def records(folder: Path) -> list[dict[str, Any]]:
    """Return the records of all runs."""
    journals = sorted(folder.glob("runs/*/results.jsonl"))
    return [json.loads(line) for path in journals for line in path.read_text().splitlines()]


def test_a_plain_run_is_another_series_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its record, its table, the command that repeats it, and a comparison with a usual run."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GLIBC_TUNABLES", raising=False)
    assert main([*RUN, *FEW]) == 0
    assert main([*RUN, *FEW, "--plain", "--cores", "1"]) == 0
    assert "Add plain 1 core" in capsys.readouterr().out
    usual, plain = records(tmp_path)
    assert (plain["operator"]["process"], plain["operator"]["cores"]) == ("plain", 1)
    assert usual["series_key"] != plain["series_key"]
    assert "GLIBC_TUNABLES" not in plain["environment"]["env_vars"]
    assert "GLIBC_TUNABLES" in usual["environment"]["env_vars"]
    assert len(plain["environment"]["affinity"]) == 1
    assert main(["compare", usual["run_id"], plain["run_id"]]) == 12
    assert "measured in different ways: see --plain and --cores" in capsys.readouterr().err


def test_a_file_may_ask_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As any other option may be set."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "opperf.toml").write_text('process = "plain"\n')
    assert main([*RUN, *FEW]) == 0
    assert records(tmp_path)[0]["operator"]["process"] == "plain"


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--cores", "{more}"], "--cores {more}: {there} can be used here; give {there} at most"),
        (["--cores", "1", "--threads", "2"], "--cores 1: fewer than --threads 2"),
        (["--process", "naked"], "unknown process 'naked'; allowed: laid_out, plain"),
        (["--cores", "0"], "cores (command line): expected an integer of at least 1, not '0'"),
    ],
)
def test_what_cannot_be_is_refused(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    flags: list[str],
    message: str,
) -> None:
    """In one line, and nothing is measured."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("opperf.cli.common.options.usable_processors", lambda: 2)
    facts = {"there": usable_cores(), "more": usable_cores() + 1}
    assert main([*RUN, *(flag.format(**facts) for flag in flags)]) == 2
    (line,) = told(capsys.readouterr().err)
    assert message.format(**facts) in line
    assert not (tmp_path / "runs").exists()


def test_a_core_is_counted_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many processors it has."""
    for number, siblings in enumerate(("0,2", "1,3", "0,2", "1,3")):
        file = tmp_path / affinity.SIBLINGS.format(number)
        file.parent.mkdir(parents=True)
        file.write_text(siblings + "\n")
    monkeypatch.setattr(affinity.os, "sched_getaffinity", lambda _: {0, 1, 2, 3})
    assert usable_cores(tmp_path) == 2
