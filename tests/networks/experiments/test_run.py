"""A whole experiment: measured, gone on with, failed, and its logs."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from opperf.networks.log_lines import read_log
from opperf.storing import read
from tests.conftest import told

if TYPE_CHECKING:
    from pathlib import Path

TEXT = """
[parameters]
exp.phase = "inference"
exp.num_batches = 3
exp.proj = "night"
exp.log_file = "logs/${exp.model}_${exp.replica_batch}.log"
pytorch.env = "OMP_NUM_THREADS=1"
[variables]
exp.model = ["deep_mnist", "fails"]
exp.replica_batch = [2, 4]
"""
FAILING = '''"""A network whose constructor fails: https://example.org."""

from opperf.networks.pytorch.model import Model
from opperf.networks.registry import implements


@implements("fails", title="Fails", parameters=0)
class Fails(Model):
    """It cannot be made."""

    def __init__(self, **given):
        raise RuntimeError("no such thing")
'''


def opperf(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Type a command in a folder."""
    return subprocess.run(
        [sys.executable, "-m", "opperf", *words],
        cwd=folder, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with an experiment file and a network that fails."""
    (tmp_path / "night.toml").write_text(TEXT)
    (tmp_path / "mine" / "pytorch").mkdir(parents=True)
    (tmp_path / "mine" / "pytorch" / "fails.py").write_text(FAILING)
    return tmp_path


def test_a_matrix_is_one_run_that_is_gone_on_with(folder: Path) -> None:
    """A failed one has its log, too; what the journal lacks is measured again."""
    words = ["model", "--experiments", "night.toml", "--model-dir", "mine"]
    found = opperf(*words, folder=folder)
    assert found.returncode == 11, found.stderr
    [run] = (folder / "runs").iterdir()
    journal = run / "results.jsonl"
    results = read(journal).results
    assert [(one.operator.name, one.attributes["batch"]) for one in results] == [
        ("deep_mnist", 2), ("deep_mnist", 4), ("fails", 2), ("fails", 4),
    ]  # fmt: skip
    assert all(one.tags == ("night",) for one in results)
    assert json.loads((run / "run.json").read_text())["variables"] == {"OMP_NUM_THREADS": "1"}
    logs = {path.name: read_log(path.read_text().splitlines()) for path in folder.glob("logs/*")}
    assert {name: log.status for name, log in logs.items()} == {
        "deep_mnist_2.log": "ok", "deep_mnist_4.log": "ok",
        "fails_2.log": "failure", "fails_4.log": "failure",
    }  # fmt: skip
    assert len(logs["deep_mnist_2.log"].seconds) == 3
    assert "no such thing" in logs["fails_2.log"].values["results.status_msg"]

    lines = journal.read_text().splitlines(keepends=True)
    journal.write_text("".join(lines[:1]))
    (folder / "logs" / "deep_mnist_4.log").unlink()
    again = opperf("resume", "last", folder=folder)
    assert again.returncode == 11, again.stderr
    resumed = read(journal).results
    assert len(resumed) == 4
    assert resumed[0].result_id == results[0].result_id
    assert (folder / "logs" / "deep_mnist_4.log").exists()


def test_what_is_wrong_ends_with_two_before_anything_starts(folder: Path) -> None:
    """In one line, without a run's folder."""
    words = ["model", "--experiments", "night.toml"]
    for given, said in (
        ("exp.proj=$(__import__('os'))$", "unknown function '__import__'"),
        ("exp.id=${exp.id}", "a cycle of references: exp.id -> exp.id"),
        ("exp.dtype=float23", "exp.dtype: unknown value 'float23'; did you mean 'float32'?"),
        ("exp.model=deep_mnits", "did you mean 'deep_mnist'?"),
        ("exp.proj=${exp.modle}", "unknown ${exp.modle}; did you mean ${exp.model}?"),
    ):
        found = opperf(*words, "-P", given, folder=folder)
        assert found.returncode == 2, found.stderr
        assert said in found.stderr
        assert len(told(found.stderr)) == 1
    assert not (folder / "runs").exists()


def test_the_older_command_line_ends_with_log_lines(folder: Path) -> None:
    """On stdout, below the table; of a failed run with its status, and an exit code."""
    words = ["--model", "deep_mnist", "--model", "fails", "--model-dir", "mine"]
    found = subprocess.run(
        [sys.executable, "-m", "opperf.pytorch_benchmarks.models", *words,
         "--batch_size", "2", "--num_batches", "2", "--forward_only"],
        cwd=folder, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert found.returncode == 11, found.stderr
    first, second = found.stdout.split('__exp.model__="fails"')
    assert read_log(first.splitlines()).status == "ok"
    assert read_log(second.splitlines()).values["results.status"] == "failure"
