"""What the verbs of a fleet say where something is missing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from opperf.cli import main
from opperf.fleet.client import greeting
from opperf.storing.database.connection import create_store
from tests.conftest import told

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SCHEDULER = ("--scheduler", "tcp://127.0.0.1:1")
RUN = ("run", "Exp", "--framework", "numpy", "--fleet", "tcp://127.0.0.1:1")

TASK = ("task", "speed", "--config", "tasks.cfg", "--fleet", "tcp://127.0.0.1:1")
RESUME = ("resume", "last", "--fleet", "tcp://127.0.0.1:1")
TASKS = """\
[speed]
patterns = ['Speed: (\\d+)']
metrics = ['speed']
compute_method = ['last']
command_to_execute = true
num_gpus = 1
[there]
patterns = ['Speed: (\\d+)']
metrics = ['speed']
compute_method = ['last']
command_to_execute = true
num_gpus = 1
directory = here
"""
MODEL = ("model", "alexnet", "--framework", "pytorch", "--fleet", "tcp://127.0.0.1:1")


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work where no configuration is, beside a tasks file."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tasks.cfg").write_text(TASKS)


@pytest.mark.parametrize(
    "words",
    [("fleet", "worker", *SCHEDULER), ("fleet", "scheduler"), ("fleet", "status"), RUN],
    ids=" ".join,
)
def test_a_fleet_needs_postgresql(
    words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file is written by one machine; and there must be a store at all."""
    create_store(str(tmp_path / "results.db"))
    assert main([*words, "--store", "results.db"]) == 2
    assert "a fleet needs PostgreSQL: --store postgresql://" in capsys.readouterr().err
    assert main([*words]) == 2
    assert "a fleet keeps its jobs in a store" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("run", "Exp", "--on", "cpu=EPYC"), "--on: is for hosts of a fleet; give --fleet URL"),
        (("run", "Exp", "--detach"), "--detach: is for hosts of a fleet"),
        ((*RUN, "--on", "cores=4"), "unknown fact 'cores'"),
        ((*RUN, "--hosts-per-kind", "0"), "--hosts-per-kind 0: must be from 1 to 1000"),
        ((*RUN, "--again", "last"), "--again: is of this machine's files"),
        (
            ("ab", "--a", ".", "--b", "/usr/bin/python3", "-k", "name=Exp", *RUN[2:]),
            "'/usr/bin/python3' is of this machine, and hosts do not have it",
        ),
        (("fleet", "worker", *SCHEDULER, "--name", "a/b"), "--name 'a/b'"),
        (("model", "lenet", "--detach"), "--detach: is for hosts of a fleet; give --fleet URL"),
        ((*TASK, "--output-file", "x.json"), "--output-file 'x.json': holds one run"),
        (("task", "there", *TASK[2:]), "directory 'here' is of this machine; give the folder"),
        (("task", "speed", "--on", "cpu=*"), "--on: is for hosts of a fleet"),
        (("resume", "last", "--detach"), "--detach: is for hosts of a fleet"),
        ((*RESUME, "--unreliable"), "--unreliable: does not go with --fleet, hosts measure noisy"),
        ((*RESUME, "--top", "3"), "--top: does not go with --fleet, a fleet takes no calls"),
        ((*MODEL, "--experiments", "x.toml"), "--experiments: is of this machine's files; --fleet"),
        ((*MODEL, "--model-dir", "."), "--model-dir: is of this machine's files"),
        ((*MODEL, "--data_dir", "."), "takes networks by their names, and made-up data"),
        ((*MODEL, "--hosts-per-kind", "0"), "--hosts-per-kind 0: must be from 1 to 1000"),
        (("fleet", "scheduler", "--calibrate", "5m"), "--calibrate '5m': must be from 1h to 168h"),
        (("fleet", "scheduler", "--calibrate", "daily"), "--calibrate 'daily': must be from 1h"),
        (("fleet", "worker", *SCHEDULER, "--max-noise", "2"), "--max-noise '2': must be above 0"),
    ],
)
def test_bad_input(words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    """One line each, with what is allowed."""
    assert main([*words]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert len(told(error)) == 1


def test_a_scheduler_that_does_not_answer(
    add_host: Callable[..., None],
    store: Any,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nothing is planned then; it is asked for half a minute otherwise."""
    monkeypatch.setattr(greeting, "PATIENCE_S", 1.0)
    add_host("h1")
    assert main([*RUN, "--store", store.url.render_as_string(hide_password=False)]) == 1
    assert "no scheduler answers at tcp://127.0.0.1:1" in capsys.readouterr().err


def test_status_of_a_fleet_that_does_nothing(
    store: Any, add_host: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    """It says how to begin, then what there is."""
    url = store.url.render_as_string(hide_password=False)
    assert main(["fleet", "status", "--store", url]) == 0
    assert "no host was ever in this fleet" in capsys.readouterr().out
    add_host("h1")
    assert main(["fleet", "status", "--store", url, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [(one["host"], one["state"], one["measures"]) for one in found["hosts"]] == [
        ("h1", "ready", None)
    ]
    assert main(["fleet", "status", "--store", url]) == 0
    out = capsys.readouterr().out
    assert "kind k1: AMD EPYC 9654, 1 hosts, 1 ready" in out
    assert "nothing was submitted yet" in out
