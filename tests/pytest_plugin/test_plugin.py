"""The plugin as its users have it: a folder of tests, and pytest in a process of its own."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any, Protocol

import pytest

if TYPE_CHECKING:
    from pathlib import Path

MEASURING = """
import os
import time

def wait(seconds):
    time.sleep(seconds)

def test_waiting(opperf):
    result = opperf(wait, float(os.environ.get("WAIT", "0.02")), budget=0.05)
    assert result.seconds > 0.01

def test_nothing():
    pass
"""
BENCHMARKS = """
import time

import pytest

def add(a, b=0):
    return a + b

@pytest.mark.benchmark(group="sums")
def test_called(benchmark):
    benchmark.extra_info["a"] = 1
    assert benchmark(add, 1, b=2) == 3
    assert benchmark.stats is None or benchmark.stats["median"] > 0

def test_pedantic(benchmark):
    assert benchmark.pedantic(add, args=(1,), kwargs={"b": 1}, rounds=3, iterations=2) == 2

def test_fresh(benchmark):
    benchmark.pedantic(add, setup=lambda: ((1,), {}))
"""


class Pytest(Protocol):
    """Runs pytest."""

    def __call__(self, text: str, *arguments: str, **variables: str) -> tuple[int, str]:
        """Run it on a text of tests; return its exit status and what it printed."""


@pytest.fixture
def run_pytest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Pytest:
    """Return a function that runs pytest in an empty folder; runs are stored in `runs` there."""
    monkeypatch.setenv("COLUMNS", "120")
    for name in [name for name in os.environ if name.startswith("PYTEST_")]:
        monkeypatch.delenv(name)  # this test may run in one of several processes

    def run(text: str, *arguments: str, **variables: str) -> tuple[int, str]:
        path = tmp_path / "test_own.py"
        path.write_text(text)
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        options = ["-q", "-p", "no:cacheprovider", "--opperf-runs-dir", "runs"]
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *options, *arguments, path.name],
            cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip
        return done.returncode, done.stdout + done.stderr

    return run


def records(folder: Path) -> list[dict[str, Any]]:
    """Return what the newest run has stored."""
    newest = max((folder / "runs").iterdir())
    return [json.loads(line) for line in (newest / "results.jsonl").read_text().splitlines()]


def be_precise(folder: Path) -> None:
    """Make the newest run's times as precise as on a machine without other work."""
    (journal,) = (folder / "runs").glob("*/results.jsonl")
    found = records(folder)
    for record in found:
        record["status"] = "ok"
        record["summary"]["precision"] = 0.005
    journal.write_text("".join(json.dumps(record) + "\n" for record in found))


def test_a_call_is_measured_stored_and_compared(run_pytest: Pytest, tmp_path: Path) -> None:
    """What is many times as slow fails its test, by a verdict; what is as it was does not."""
    status, text = run_pytest(MEASURING)
    assert (status, "2 passed" in text) == (0, True), text
    assert re.search(r"python \[ms\]\ntest_own.py::test_waiting\b.* ±", text), text
    assert "results: runs/" in text
    (record,) = records(tmp_path)
    assert record["operator"]["name"] == "test_own.py::test_waiting"
    assert record["command"].startswith("pytest -q")
    be_precise(tmp_path)
    status, text = run_pytest(MEASURING, "--opperf-compare", "last", WAIT="0.5")
    assert status == 1, text
    assert re.search(r"Failed: test_own.py::test_waiting forward: slower, .* times", text), text
    assert "1 failed, 1 passed" in text
    assert "SLOWER" in text
    assert len(records(tmp_path)) == 1


def test_what_uses_no_fixture_prints_nothing(run_pytest: Pytest, tmp_path: Path) -> None:
    """And stores no run."""
    status, text = run_pytest("def test_one(): pass")
    assert (status, "opperf" in text) == (0, False), text
    assert not (tmp_path / "runs").exists()


def test_benchmarks_run_on_this_core(run_pytest: Pytest, tmp_path: Path) -> None:
    """Tests for pytest-benchmark, unchanged; its JSON is written, and read as a baseline."""
    status, text = run_pytest(
        BENCHMARKS, "--opperf-benchmark", "--opperf-budget=0.05", "--opperf-json=own.json"
    )
    assert (status, "2 passed, 1 skipped" in text) == (0, True), text
    document = json.loads((tmp_path / "own.json").read_text())
    assert len(document["benchmarks"]) == 2
    names = {record["operator"]["name"] for record in records(tmp_path)}
    assert names == {"test_own.py::test_called", "test_own.py::test_pedantic"}
    assert {row["fullname"] for row in document["benchmarks"]} == names
    assert {row["name"] for row in document["benchmarks"]} == {"test_called", "test_pedantic"}
    more = f"{BENCHMARKS}\ndef test_added(benchmark):\n    benchmark(add, 1)\n"
    options = ["--opperf-benchmark", "--opperf-budget=0.05", "--opperf-compare=own.json"]
    _, text = run_pytest(more, *options)
    assert re.search(r"^= \d of 2 equivalent within 10 %", text, re.MULTILINE), text
    assert "not in the baseline, so not compared: test_own.py::test_added\n" in text


def test_a_file_of_pytest_benchmark_is_a_baseline(run_pytest: Pytest) -> None:
    """Its own plugin writes it; names are what both tools have in common."""
    first, slower = (
        BENCHMARKS.replace("return a + b", f"time.sleep({seconds}); return a + b")
        for seconds in (0.002, 0.5)
    )
    status, text = run_pytest(first, "--benchmark-json=theirs.json", "--deselect",
                              "test_own.py::test_fresh")  # fmt: skip
    assert status == 0, text
    status, text = run_pytest(
        slower, "--opperf-benchmark", "--opperf-budget=0.05", "--opperf-compare=theirs.json"
    )
    assert status == 1, text
    assert "test_called forward: slower" in text


def test_operators_of_ones_own_are_tests(run_pytest: Pytest, tmp_path: Path) -> None:
    """Those of conftest.py, checked and measured; a wrong one fails."""
    (tmp_path / "conftest.py").write_text(
        "from opperf.nd import Add\n"
        "class OwnAdd(Add):\n    category = 'own'\n"
        "class WrongAdd(Add):\n    category = 'own'\n"
        "    @staticmethod\n    def reference(lhs, rhs):\n        return lhs - rhs\n"
    )
    status, text = run_pytest("", "--opperf-operators", "--opperf-budget=0.05", "-rpf")
    assert status == 1, text
    endings = set(re.findall(r"^(PASSED|FAILED) \S*(OwnAdd|WrongAdd)\[(\w+)\]", text, re.MULTILINE))
    assert endings == {
        ("PASSED", "OwnAdd", "mxnet"), ("PASSED", "OwnAdd", "pytorch"),
        ("FAILED", "WrongAdd", "mxnet"), ("FAILED", "WrongAdd", "pytorch"),
    }, text  # fmt: skip
    assert "output 0 is" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--opperf-compare", "lsat"], "lsat"),
        (["--opperf-min-effect", "0"], "must be above 0 and up to 1"),
        (["--opperf-compare", "no.json"], "no.json"),
        (["--opperf-json", "no/own.json"], "there is no folder no; make it first"),
        (["--opperf-json", "."], "is a folder"),
    ],
)
def test_wrong_options_are_one_line(arguments: list[str], message: str, run_pytest: Pytest) -> None:
    """Before any test runs."""
    status, text = run_pytest(MEASURING, *arguments)
    assert status == 4, text
    (line,) = [line for line in text.splitlines() if line.startswith("ERROR")]
    assert message in line


def test_a_baseline_of_other_tests_is_told(run_pytest: Pytest) -> None:
    """Otherwise a gate would be passed by whoever names the wrong run."""
    assert run_pytest(MEASURING)[0] == 0
    others = "".join(f"def test_{name}(opperf):\n    opperf(int)\n\n" for name in "abcde")
    status, text = run_pytest(others, "--opperf-compare", "last", "--opperf-budget=0.05")
    assert status == 0, text
    named = ", ".join(f"test_own.py::test_{name}" for name in "abc")
    assert f"not in the baseline, so not compared: {named} and 2 more\n" in text


def test_json_that_cannot_be_written_fails_the_session(run_pytest: Pytest) -> None:
    """The measurements are stored all the same."""
    status, text = run_pytest(MEASURING, "--opperf-json=/dev/full", "--opperf-budget=0.05")
    assert status == 1, text
    assert "2 passed" in text
    assert "cannot write /dev/full: No space left on device" in text
    assert "results: runs/" in text


def test_an_error_of_the_function_is_the_tests(run_pytest: Pytest) -> None:
    """With its traceback; nothing is measured."""
    status, text = run_pytest("def test_one(opperf):\n    opperf(int, 'a')\n")
    assert status == 1
    assert "ValueError: invalid literal" in text


def test_several_processes_measure_nothing(run_pytest: Pytest) -> None:
    """They would disturb each other; tests for pytest-benchmark run once."""
    status, text = run_pytest(MEASURING + BENCHMARKS, "-n2", "-rs", "--opperf-benchmark")
    assert status == 0, text
    assert "measures one thing at a time: run pytest without -n" in text
    assert "3 passed, 2 skipped" in text, text


def test_nothing_heavy_is_imported_at_the_start() -> None:
    """What pytest loads at each start brings neither NumPy nor the core."""
    code = "import sys, opperf.pytest_plugin.plugin; print([*sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    for module in ("numpy", "msgspec", "torch", "mxnet", "opperf.core.results.result"):
        assert f"'{module}'" not in done.stdout
