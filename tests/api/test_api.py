"""Stored runs in Python: what a notebook shows of them, and what a program gets."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import asdict
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import opperf
from opperf.comparing.arms.entry import ArmEntry
from opperf.core.errors import UsageError
from opperf.storing import Journal, RunDirectory

if TYPE_CHECKING:
    from collections.abc import Callable


STORED = Path(__file__).parents[1] / "cli" / "terminal"
"""Runs and comparisons as they were measured."""


@pytest.fixture
def stored(tmp_path: Path, make_result: Callable[..., Any]) -> Callable[[float], str]:
    """Return what writes a run of one operator with such a median, and returns its path."""

    def write(median: float, status: str = "ok") -> str:
        directory = RunDirectory.create(tmp_path / "runs", {})
        summary = {
            "n": 9, "median": median, "interval": [median * 0.999, median * 1.001],
            "precision": 0.001, "warnings": [],
        }  # fmt: skip
        with Journal(directory.results_path) as journal:
            journal.append([make_result(status=status, summary=summary)])
        return str(directory.path)

    return write


def test_a_run_is_one_line_a_table_and_a_frame(stored: Callable[[float], str]) -> None:
    """All three say the same of the one result, the frame in seconds."""
    run = opperf.load(stored(1e-3))
    assert repr(run) == f"run {run.label}: 1 ok"
    html = run._repr_html_()
    assert "numpy [ms]" in html
    assert "1.000" in html
    frame = run.to_frame()
    assert [*frame["seconds"]] == [1e-3]
    assert [*frame["status"]] == ["ok"]


def test_what_is_no_time_is_none_in_a_frame(stored: Callable[..., str]) -> None:
    """A wrong result has none, whatever its record holds."""
    frame = opperf.load(stored(1e-3, "wrong_result")).to_frame()
    assert frame["seconds"].isna().all()
    assert [*frame["status"]] == ["wrong_result"]


def test_two_runs_have_verdicts(stored: Callable[[float], str]) -> None:
    """Three times the time is slower; a loaded run is taken as its name is."""
    a, b = stored(1e-3), stored(3e-3)
    found = opperf.compare(a, opperf.load(b))
    assert repr(found) == "1 compared: 1 slower"
    assert found.rows[0].ratio == pytest.approx(3)
    assert "slower" in found._repr_html_()
    assert [*found.to_frame()["verdict"]] == ["slower"]


def test_a_comparison_that_was_stored_has_its_verdicts() -> None:
    """Those that `opperf show` prints, as a line, a table, a frame and a plot."""
    found = opperf.compare(str(STORED / "ab"))
    shown = subprocess.run(
        [sys.executable, "-m", "opperf", "show", str(STORED / "ab"), "--format", "json"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    rows = json.loads(shown.stdout)
    key = ("operator", "direction", "control", "verdict", "ratio")
    assert [tuple(getattr(row, name) for name in key) for row in found.rows] == [
        tuple(row[name] for name in key) for row in rows
    ]
    assert [*found.to_frame()["verdict"]] == [row["verdict"] for row in rows]
    compared = [row for row in rows if not row["control"]]
    assert repr(found).startswith(f"{len(compared)} compared: ")
    assert "verdict" in found._repr_html_()
    known = [row for row in found.rows if row.ratio is not None]
    assert len(found.plot().axes[0].get_yticklabels()) == len(known)


def test_the_rows_of_several_arms_name_theirs(tmp_path: Path) -> None:
    """Of a comparison whose two contenders are named, the table and the frame do so."""
    manifest = json.loads((STORED / "ab/run.json").read_text(encoding="utf-8"))
    manifest["reference"] = "old"
    arm = manifest["arms"]["a"]
    manifest["arms"] = {
        name: asdict(ArmEntry(**arm, name=name)) for name in ("old", "new", "fast<er")
    }
    (tmp_path / "run.json").write_text(json.dumps(manifest), encoding="utf-8")
    text = (STORED / "ab/results.jsonl").read_text(encoding="utf-8")
    pairs = [pair for pair in map(json.loads, text.splitlines()) if pair["purpose"] != "control"]
    with (tmp_path / "results.jsonl").open("w", encoding="utf-8") as file:
        for number, (name, pair) in enumerate(product(("new", "fast<er"), pairs)):
            own = {"result_id": f"{number:032x}", "schema": "opperf.pair/4", "arm": name}
            file.write(json.dumps({**pair, **own}) + "\n")
    found = opperf.compare(str(tmp_path))
    assert {row.arm for row in found.rows} == {"new", "fast<er"}
    assert "fast&lt;er" in found._repr_html_()
    assert {*found.to_frame()["reference"]} == {"old"}


def test_one_run_is_no_comparison(stored: Callable[[float], str]) -> None:
    """It is said what goes in its place; and a comparison is no run."""
    path = stored(1e-3)
    for run in (path, opperf.load(path)):
        with pytest.raises(UsageError, match="is a run: give a second one, or a comparison of"):
            opperf.compare(run)
    with pytest.raises(UsageError, match=r"opperf\.compare\('.*'\) has them"):
        opperf.load(str(STORED / "ab"))


def test_texts_of_a_record_are_escaped(tmp_path: Path, make_result: Callable[..., Any]) -> None:
    """A name is an attacker's input, and a notebook shows HTML as it is."""
    directory = RunDirectory.create(tmp_path / "runs", {})
    hostile = "<script>alert(1)</script>"
    operator = {**make_result().operator, "name": hostile}
    with Journal(directory.results_path) as journal:
        journal.append([make_result(operator=operator, status="failed", reason=hostile)])
    run = opperf.load(str(directory.path))
    for shown in (run._repr_html_(), opperf.compare(run, run)._repr_html_()):
        assert "<script" not in shown


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda run: opperf.load(run + "x"), "unknown run"),
        (lambda run: opperf.compare(run, run, metric="tme"), "unknown metric"),
        (lambda run: opperf.compare(run, run, metric="flop_rate"), "follows from the time"),
        (lambda run: opperf.compare(run, run, min_effect=0.0), "above 0"),
    ],
)
def test_what_cannot_be_had_is_one_line(
    ask: Callable[[str], object], words: str, stored: Callable[[float], str]
) -> None:
    """It names the value and what is allowed."""
    with pytest.raises(UsageError, match=words) as caught:
        ask(stored(1e-3))
    assert "\n" not in str(caught.value)


def test_the_public_names_are_listed_and_there() -> None:
    """Completion shows what there is, and each of it exists."""
    assert dir(opperf) == [
        "__version__", "compare", "history", "load", "measure", "mxnet_benchmarks", "nd",
        "pytorch_benchmarks", "store", "timer",
    ]  # fmt: skip
    assert all(getattr(opperf, name) for name in dir(opperf))
    assert callable(opperf.history)
    assert Path(opperf.__file__).with_name("py.typed").exists()


def test_importing_the_package_imports_none_of_it() -> None:
    """A worker's start, and every command's, pays for what it uses."""
    code = (
        "import sys; sys.path.insert(0, '.'); import opperf;"
        "print(*(name for name in sys.modules if name.startswith('opperf')));"
        "print('numpy' in sys.modules, 'typing' in sys.modules)"
    )
    command = [sys.executable, "-SEc", code]
    root = Path(opperf.__file__).parent.parent
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=root)
    assert done.stdout == "opperf.core opperf.core.version opperf\nFalse False\n"
