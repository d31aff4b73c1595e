"""Thread counts: each in a process of its own, and never more than there are processors."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from opperf.cli import main
from opperf.core.configuration.options import parse_threads
from opperf.core.errors import UsageError
from opperf.core.machine.affinity import usable_processors
from tests.conftest import told

if TYPE_CHECKING:
    from pathlib import Path

RUN = ["run", "-k", "name=Add and direction=forward", "--framework", "numpy", "--size", "small"]
FEW = ["--runs", "6", "--warmup", "0", "--quiet"]


def test_each_thread_count_is_measured_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two counts are two results, each of another process, and two series."""
    monkeypatch.chdir(tmp_path)
    command = [*RUN, *FEW, "--threads", "1,2", "--oversubscribe", "--format", "json"]
    assert main(command) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["threads"] for row in rows] == [1, 2]
    (journal,) = tmp_path.glob("runs/*/results.jsonl")
    results = [json.loads(line) for line in journal.read_text().splitlines()]
    assert len({result["series_key"] for result in results}) == 2
    told = [result["environment"]["env_vars"]["OMP_NUM_THREADS"] for result in results]
    assert told == ["1", "2"]


def test_the_table_says_how_many_threads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """More than one are named beside the operator."""
    monkeypatch.chdir(tmp_path)
    assert main([*RUN, *FEW, "--threads", "1,2", "--oversubscribe"]) == 0
    out = capsys.readouterr().out
    assert "Add 2 threads" in out
    assert "Add 1 threads" not in out


def test_more_threads_than_processors_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line names the number, what there is, and the flag that allows it."""
    monkeypatch.chdir(tmp_path)
    asked = usable_processors() + 62
    assert main([*RUN, "--threads", str(asked)]) == 2
    (line,) = told(capsys.readouterr().err)
    assert f"--threads {asked}: {usable_processors()} processors" in line
    assert "--oversubscribe" in line
    assert not (tmp_path / "runs").exists()


def test_all_stands_for_every_processor() -> None:
    """Each count is measured once, in the order given."""
    cores = usable_processors()
    assert parse_threads("1,all,1") == tuple(dict.fromkeys([1, cores]))
    assert parse_threads([3]) == (3,)


@pytest.mark.parametrize("text", ["0", "-1", "two", "1,,2", "1.5", ""])
def test_other_thread_counts_are_refused(text: str) -> None:
    """Whole numbers from one on, or all."""
    with pytest.raises(UsageError, match="expected an integer of at least 1"):
        parse_threads(text)
