"""pytest-benchmark's own program and opperf read each other's files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from opperf.reporting.foreign.pytest_benchmark import write_pytest_benchmark
from opperf.reporting.subjects import Run
from opperf.storing.foreign.reading import read_foreign

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from opperf.core.results.result import Result


def near(seconds: float) -> Any:
    """Return what equals a time but for rounding."""
    return pytest.approx(seconds, rel=1e-9)


def test_pytest_benchmark_s_own_file(tmp_path: Path) -> None:
    """What it wrote itself is read: name, parameters, machine and date."""
    test = tmp_path / "test_it.py"
    test.write_text("def test_sorted(benchmark):\n    benchmark(sorted, range(100))\n")
    path = tmp_path / "own.json"
    command = [
        sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--benchmark-max-time=0.01",
        "--benchmark-min-rounds=5", f"--benchmark-json={path}", f"--rootdir={tmp_path}", str(test),
    ]  # fmt: skip
    alone = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    subprocess.run(command, check=True, capture_output=True, cwd=tmp_path, env=alone)
    (result,) = read_foreign(path, None, "box")
    document = json.loads(path.read_text())
    assert result.operator.name.endswith("test_sorted")
    assert result.seconds == near(document["benchmarks"][0]["stats"]["median"])
    assert result.started_at == document["datetime"]


def test_pytest_benchmark_compares_what_is_exported(
    tmp_path: Path, make_result: Callable[..., Result]
) -> None:
    """Two files, by its own program, side by side; a name that is hostile is only a name."""
    for number in (1, 2):
        results = [
            make_result(operator={**make_result().operator.to_mapping(), "name": name})
            for name in ("Add", "</script>=cmd()|'")
        ]
        path = tmp_path / f"000{number}_run.json"
        write(path, [*results, failed(make_result)])
    said = subprocess.run(
        [sys.executable, "-m", "pytest_benchmark", "compare", "0001_run.json", "0002_run.json"],
        check=True, capture_output=True, text=True, cwd=tmp_path,
    )  # fmt: skip
    lines = [line for line in said.stdout.splitlines() if line.startswith("Add[numpy-forward]")]
    assert len(lines) == 2
    assert "Failed to load" not in said.stderr


def write(path: Path, results: list[Result]) -> None:
    """Write results as opperf exports them."""
    with path.open("w") as stream:
        write_pytest_benchmark(Run(name="run", results=results), stream)


def failed(make_result: Callable[..., Result]) -> Result:
    """Return a result without a time, which has no place in such a file."""
    return make_result(status="failed", summary=None, samples=None)


def test_what_is_exported_can_be_imported(
    tmp_path: Path, make_result: Callable[..., Result]
) -> None:
    """The times are the samples', net of the loop."""
    path = tmp_path / "0001_run.json"
    write(path, [make_result()])
    (result,) = read_foreign(path, None, "box")
    assert result.samples is not None
    assert result.samples.seconds == (near(1.5e-8), near(1.25e-8), near(1.75e-8))
