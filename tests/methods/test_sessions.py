"""Several runs of a method, each in a fresh process: one record with intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from opperf.cli.command import command

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

COUNTED = """
import os

from opperf.methods.benchmark import Benchmark


def number():
    with open("count", "a+") as file:
        file.write("x")
        file.seek(0)
        return len(file.read())


class Counted(Benchmark):
    def grows(self):
        at = number()
        metrics = [{"name": "at", "value": at}, {"name": f"only{at}", "value": 1}]
        self.report_benchmark(iters=2, wall_time=2.0 + at / 1000, metrics=metrics)

    def other_iterations(self):
        at = number()
        self.report_benchmark(iters=at, wall_time=3.0 * at)

    def fails_later(self):
        at = number()
        metrics = [{"name": "at", "value": at, "max_value": 1}]
        self.report_benchmark(iters=1, wall_time=1.0, metrics=metrics)
"""


@pytest.fixture
def counted(method: Callable[..., Any], folder: Path) -> Callable[..., Any]:
    """Return what runs methods that know how often they have run."""
    (folder / "counted.py").write_text(COUNTED)
    return method


def test_times_and_metrics_have_intervals(counted: Callable[..., Any], folder: Path) -> None:
    """Over fresh processes; each has a folder and a summary of its own."""
    code, _, err, (result,) = counted("counted.Counted.grows", "--sessions", "3")
    assert (code, result.status) == (0, "ok"), err
    assert "counted.Counted.grows: running 3 of 3" in err
    assert result.samples.seconds == (2.001, 2.002, 2.003)
    assert (result.samples.iterations, result.seconds) == (2, 1.001)
    low, high = result.summary.interval
    assert low < 1.001 < high
    at, only, *_ = result.metrics
    assert (at.name, at.value) == ("at", 2.0)
    assert at.interval[0] < 2 < at.interval[1]
    assert (only.value, only.reason) == (None, "2 of 3 runs reported no only1")
    assert len([*folder.glob("runs/*/output/*/summary.json")]) == 3


def test_iterations_may_differ(counted: Callable[..., Any]) -> None:
    """The time is that of one."""
    _, _, _, (result,) = counted("counted.Counted.other_iterations", "--sessions", "2")
    assert (result.samples.seconds, result.samples.iterations) == ((3.0, 3.0), 1)


def test_the_first_failure_ends_a_method(counted: Callable[..., Any], folder: Path) -> None:
    """Its record is that of a failure, and the next method runs."""
    names = "counted.Counted.fails_later,own.Fine.benchmark_report"
    code, _, _, (failed, fine) = counted(names, "--sessions", "3")
    assert (code, failed.status, fine.status) == (11, "wrong_result", "ok")
    assert failed.reason == "at is 2, must be at most 1"
    assert (folder / "count").read_text() == "xx"


@pytest.mark.parametrize("count", ["0", "-1", "1001"])
def test_a_number_of_sessions_has_bounds(
    count: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In one line, before anything runs."""
    assert command(["method", "own.Fine.benchmark_report", f"--sessions={count}"], None) == 2
    assert f"--sessions {count}: must be from 1 to 1000" in capsys.readouterr().err
    assert not (folder / "runs").exists()
