"""The examples run, and print what they are there to show."""

import re
import sys
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from opperf.core.frameworks.registry import find_framework
from opperf.nd import Add
from opperf.operators.fused.convolution import ConvReLU
from opperf.storing import Journal, RunDirectory

both = pytest.mark.usefixtures("both_frameworks")
FOUND = {
    "measure_one.py": r"^forward_backward +\S+ [um]?s \S+, \d+ samples of \d+ iterations$",
    "compare_frameworks.py": r"^forward +mxnet \S+ [um]?s, pytorch \S+ [um]?s, ratio \d+\.\d\d",
    "own_inputs.py": r"^refused: Conv2D: weight=",
}


@pytest.fixture
def run(root: Path, opperf: Any) -> Any:
    """Return a function that runs an example and returns what it prints."""

    def run_example(name: str, *arguments: str) -> str:
        found = opperf.execute([sys.executable, str(root / "examples" / name), *arguments])
        assert found.returncode == 0, found.stderr
        return str(found.stdout)

    return run_example


def test_every_example_is_tested(root: Path) -> None:
    """A new example needs a test."""
    names = {file.name for file in (root / "examples").glob("*.py")}
    assert names == {*FOUND, "attempt.py", "slowest.py"}


@both
@pytest.mark.parametrize("name", FOUND)
def test_an_example_shows_what_it_is_there_for(name: str, run: Any) -> None:
    """The examples that measure run as they are."""
    said = run(name)
    assert re.search(FOUND[name], said, re.MULTILINE), said


@both
def test_attempt_shows_a_limitation(run: Any) -> None:
    """The attempt ends in the words that the limitation quotes."""
    (limit, *_) = find_framework("mxnet").limitations(ConvReLU)
    direction = ["--direction", limit.directions[0]] if limit.directions else []
    assert limit.words in run("attempt.py", "ConvReLU", "mxnet", *direction)


def test_slowest_lists_a_run(tmp_path: Path, run: Any) -> None:
    """The slowest results come first, and those without a time are counted."""
    (found,) = Add({"run_backward": False}, framework="numpy", size="small", runs=6).run_benchmark()
    directory = RunDirectory.create(tmp_path / "runs", {})
    results = [
        replace(found, result_id=str(seconds), summary=replace(found.summary, median=seconds))
        for seconds in (1e-3, 3e-3, 2e-3)
    ]
    failed = replace(found, result_id="failed", status="failed", samples=None, summary=None)
    with Journal(directory.results_path) as journal:
        journal.append([*results, failed])
    said = run("slowest.py", str(directory.path), "2")
    assert re.findall(r"^ +(\S+ ms)", said, re.MULTILINE) == ["3.00 ms", "2.00 ms"]
    assert said.endswith("1 results have no time\n")
