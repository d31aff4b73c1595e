"""Rows of an earlier run that are measured once more, and what a run would measure."""

from __future__ import annotations

import json
import re
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from opperf.__main__ import BEGUN, MEASURING, greet
from tests.conftest import told

FIRST = ("run", "Add", "Exp", "--framework", "numpy", "--size", "small", "--runs", "6", "--quiet")


WATCHED = """
import sys
heavy, line = [], []
class Stream:
    def isatty(self):
        return False
    def write(self, text):
        line.append(text)
        if len(line) == 1:
            print(sorted(heavy), flush=True)
        return sys.__stderr__.write(text)
    def flush(self):
        sys.__stderr__.flush()
def watch(event, details):
    name = str(details[0]) if event == "import" else ""
    if name.partition(".")[0] in {"numpy", "torch", "mxnet", "argparse"} or "opperf.cli" in name:
        heavy.append(name)
sys.addaudithook(watch)
sys.stderr = Stream()
from opperf.__main__ import main
main(sys.argv[1:])
"""
"""Prints which modules that take long were imported when the first line is written."""


@pytest.fixture
def first(call: Any, tmp_path: Path) -> Path:
    """Return the folder of a run of two operators, where one row was noisy."""
    assert call(*FIRST).returncode == 0
    (folder,) = tmp_path.glob("runs/*")
    journal = folder / "results.jsonl"
    records = [json.loads(line) for line in journal.read_text().splitlines()]
    for record in records:
        record["status"] = "noisy" if record["operator"]["name"] == "Exp" else "ok"
    journal.write_text("".join(json.dumps(record) + "\n" for record in records))
    return folder


def newest(folder: Path) -> Path:
    """Return the newest run beside a run."""
    return max(folder.parent.iterdir())


def test_what_was_noisy_is_measured_again(call: Any, first: Path) -> None:
    """In a run of its own that says what it repeats, and that is shown and resumed as any."""
    done = call("run", "--again", "last", "--only", "noisy", "--runs", "7", "--quiet")
    assert done.returncode == 0, done.stderr
    folder = newest(first)
    manifest = json.loads((folder / "run.json").read_text())
    assert manifest["again"] == {"run": first.name, "only": ["noisy"], "filter": ""}
    assert manifest["selection"]["settings"]["runs"] == 7
    records = [json.loads(line) for line in (folder / "results.jsonl").read_text().splitlines()]
    assert {one["operator"]["name"] for one in records} == {"Exp"}
    (folder / "results.jsonl").write_text("")
    assert call("resume", "last", "--quiet").returncode == 0
    again = [json.loads(line) for line in (folder / "results.jsonl").read_text().splitlines()]
    assert [one["operator"] for one in again] == [one["operator"] for one in records]
    assert "Exp" in call("compare", first.name, folder.name).stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--again", "last", "Add"), "Add does not go with --again"),
        (("--again", "last", "--dtype", "float64"), "--dtype does not go with --again"),
        (("--only", "noisy"), "--only needs --again RUN"),
        (("--again", "last", "--only", "nois"), "did you mean 'noisy'?"),
    ],
)
def test_what_is_the_earlier_run_s_cannot_be_asked_for(
    call: Any, first: Path, words: tuple[str, ...], said: str
) -> None:
    """One line, and no run is made."""
    done = call("run", *words)
    assert done.returncode == 2
    assert said in done.stderr
    assert [*first.parent.iterdir()] == [first]


def test_nothing_to_repeat_is_said(call: Any, first: Path) -> None:
    """With the exit code of an empty selection."""
    done = call("run", "--again", "last", "--only", "timeout")
    assert (done.returncode, first.name in done.stderr) == (12, True)


def test_a_dry_run_makes_nothing(call: Any, tmp_path: Path) -> None:
    """It says what would be measured, how many rows, how long and how much memory."""
    done = call(*FIRST[:-1], "--dry-run", "--format", "json", "--store", "results.db")
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)
    assert [(row["operator"], row["framework"]) for row in rows] == [
        ("Add", "numpy"),
        ("Exp", "numpy"),
    ]
    assert all(row["rows"] >= 1 and row["memory"] > 0 for row in rows)
    assert re.search(r"\d+ rows, about \d+:\d\d \(\d+ by typical times", done.stderr)
    assert "at a time (Add)" in done.stderr
    assert [*tmp_path.iterdir()] == []


def test_earlier_runs_say_how_long_it_takes(call: Any, first: Path) -> None:
    """A row that was measured before is expected to take as long."""
    done = call(*FIRST[:-1], "--dry-run")
    assert re.search(r"\d+ by earlier runs here", done.stderr)
    assert [*first.parent.iterdir()] == [first]


def test_a_long_run_says_so_before_it_starts(call: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """From five minutes on; here from none."""
    monkeypatch.setattr("opperf.cli.running.estimates.LONG", 0.0)
    done = call(*FIRST[:-1])
    assert done.returncode == 0
    assert told(done.stderr)[0].startswith("opperf: ")
    assert " rows, about " in told(done.stderr)[0]


def test_a_comparison_has_a_dry_run(call: Any, tmp_path: Path) -> None:
    """Its rows, with their memory in bytes or as people read it, and how long it takes."""
    words = ("ab", "--a", ".", "--b", ".", "-k", "name=Add", "--framework", "numpy", "--dry-run")
    done = call(*words, "--size", "small", "--format", "json")
    assert done.returncode == 0, done.stderr
    row, *_ = json.loads(done.stdout)
    assert (row["operator"], row["framework"], row["size"]) == ("Add", "numpy", "small")
    assert row["memory"] > 0
    assert re.search(r"rows in \d+ to \d+ sessions of 2 arms, about \d+:\d\d to", done.stderr)
    assert re.search(r"\d kB", call(*words, "--size", "small", "--format", "md").stdout)
    assert [*tmp_path.iterdir()] == []


def test_a_comparison_takes_as_long_as_the_last_one_of_its_rows(opperf: Any) -> None:
    """What it measured then by that run, the rest as is typical."""
    words = ("ab", "--a", "A=0", "--b", "A=1", "--framework", "numpy", "--size", "small")
    done = opperf.run(*words, "-k", "name=Exp and direction=forward", "--most-sessions", "1")
    (run,) = opperf.runs()
    assert run.joinpath("results.jsonl").stat().st_size, done.stderr
    estimate = opperf.run(*words, "-k", "name=Exp and direction=forward", "--dry-run")
    assert f"(1 by run {run.name};" in estimate.stderr
    estimate = opperf.run(*words, "-k", "name in (Exp, Negative)", "--dry-run")
    assert f"(1 by run {run.name}, " in estimate.stderr
    assert "typical: as on the machine of docs/lab/method.md; " in estimate.stderr


@pytest.mark.parametrize(
    ("words", "is_terminal", "said"),
    [
        (["run", "Add"], True, BEGUN),
        (["bisect", "a", "b"], True, BEGUN),
        (["run", "Add"], False, "opperf: run: loading\n"),
        (["run", "--quiet"], False, ""),
        (["run", "--quiet"], True, ""),
        (["run", "--help"], True, ""),
        (["model", "--list"], False, ""),
        (["list"], True, ""),
    ],
)
def test_a_verb_that_measures_says_so_at_once(
    words: list[str], is_terminal: bool, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a terminal what the next line replaces, elsewhere a line; --quiet is silent."""
    stream = StringIO()
    monkeypatch.setattr(stream, "isatty", lambda: is_terminal)
    monkeypatch.setattr("sys.stderr", stream)
    greet(words, None)
    assert stream.getvalue() == said


@pytest.mark.parametrize("verb", MEASURING)
def test_the_first_line_comes_before_all_modules(verb: str, opperf: Any) -> None:
    """An audit hook sees what is imported: no parser, no NumPy, no framework before the line."""
    done = opperf.execute([sys.executable, "-c", WATCHED, verb, "--no-such-option"])
    first, *_ = done.stderr.splitlines()
    assert first == f"opperf: {verb}: loading"
    assert done.stdout.splitlines()[0] == "[]"


def test_a_task_and_a_network_have_a_dry_run(call: Any, tmp_path: Path) -> None:
    """The command that would be run; the networks that would be trained. Nothing is made."""
    tasks = tmp_path / "tasks.cfg"
    tasks.write_text(
        "[echo]\ncommand_to_execute = echo hello\npatterns = ['(\\d+)']\nmetrics = ['n']\n"
        "compute_method = ['average']\nnum_gpus = 0\n"
    )
    done = call("task", "echo", "--config", "tasks.cfg", "--dry-run")
    assert done.returncode == 0, done.stderr
    assert "echo hello" in done.stdout
    done = call("model", "alexnet", "--framework", "pytorch", "--dry-run")
    assert done.returncode == 0, done.stderr
    assert "alexnet" in done.stdout
    assert "1 networks in 1 session, about 0:20" in done.stderr
    assert [*tmp_path.iterdir()] == [tasks]


def test_a_method_and_a_specification_have_a_dry_run(call: Any, tmp_path: Path) -> None:
    """The methods that would be run, and the tests; no run is made."""
    (tmp_path / "shop.py").write_text("class Shop:\n    def benchmark_sale(self):\n        pass\n")
    words = ("method", "shop.Shop.benchmark_sale", "--python-path", ".", "--sessions", "3")
    done = call(*words, "--dry-run")
    assert done.returncode == 0, done.stderr
    assert "shop.Shop.benchmark_sale" in done.stdout
    assert "3 run(s), as long as the methods take (no limit)" in done.stderr
    places = Path(__file__).parents[2] / "examples" / "specifications"
    done = call("spec", str(places / "all.json"), "--framework", "pytorch", "--dry-run")
    assert done.returncode == 0, done.stderr
    assert "pytorch" in done.stdout
    assert re.search(r"\d+ tests in 1 session, about \d+:\d\d", done.stderr)
    assert not (tmp_path / "runs").exists()
