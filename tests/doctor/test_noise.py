"""A against A: how many processes, for how long, and what becomes of failures."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from opperf.core.errors import UsageError
from opperf.core.repeatability import Repeatability
from opperf.doctor import noise
from opperf.doctor.noise import (
    BRIEFEST,
    CHILDREN,
    LONGEST,
    MOST_CHILDREN,
    PROBES,
    REPEATS,
    Trial,
    measure_probes,
    noise_findings,
    noise_summary,
)
from opperf.worker.handle import Limits, Worker

STARTING = 2.0


@dataclass
class FakeWorker:
    """A child that takes its time, by a clock of the test's own."""

    framework: str
    now: list[float]
    broken: tuple[str, ...] = ()
    started: list[str] = field(default_factory=list)

    def ensure(self) -> None:
        """Start, or fail as a framework that cannot be imported does."""
        self.now[0] += STARTING
        self.started.append(self.framework)
        if self.framework in self.broken:
            raise UsageError("it does not load")

    def close(self) -> None:
        """End."""


@pytest.fixture
def trial(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that runs a trial of fake children, and says what each was given."""

    def run(frameworks: list[str], seconds: float, broken: tuple[str, ...] = ()) -> Any:
        now, given, started = [0.0], [], []

        def worker(*, framework: str, **_: Any) -> FakeWorker:
            return FakeWorker(framework, now, broken, started)

        def probes(_: Any, each: float) -> list[list[float]]:
            given.append(each)
            now[0] += len(PROBES) * REPEATS * (each + noise.AROUND)
            return [[1e-6 * (1 + len(given) / 100)] * REPEATS for _ in PROBES]

        monkeypatch.setattr(noise, "Worker", worker)
        monkeypatch.setattr(noise, "measure_probes", probes)
        made = Trial(frameworks, seconds, lambda _: None, clock=lambda: now[0])
        return made.run(), made.failures, given, started, now[0]

    return run


def test_five_processes_each_within_the_time(trial: Any) -> None:
    """The frameworks take turns, and share what the starting leaves of the time."""
    found, failures, given, started, took = trial(["mxnet", "pytorch"], 55.0)
    assert started == ["mxnet", "pytorch"] * CHILDREN
    assert took == pytest.approx(55.0, rel=0.1)
    assert all(BRIEFEST < each <= LONGEST for each in given)
    assert {(one.framework, one.processes) for one in found} == {
        ("mxnet", CHILDREN),
        ("pytorch", CHILDREN),
    }
    assert len(found) == 2 * len(PROBES)
    assert failures == []


def test_time_that_is_left_goes_into_more_processes(trial: Any) -> None:
    """Up to a dozen, which know the spread better."""
    found, *_ = trial(["numpy"], 1000.0)
    assert {one.processes for one in found} == {MOST_CHILDREN}


def test_too_little_time_shortens_the_measurements_alone(trial: Any) -> None:
    """Fewer than five processes would say next to nothing."""
    _, _, given, started, _ = trial(["numpy"], 1.0)
    assert started == ["numpy"] * CHILDREN
    assert set(given) == {BRIEFEST}


def test_a_framework_that_does_not_load_is_left_out(trial: Any) -> None:
    """It is one line, and the other is measured all the same."""
    found, failures, _, started, _ = trial(["mxnet", "pytorch"], 60.0, ("mxnet",))
    assert failures == ["mxnet: it does not load"]
    assert started.count("mxnet") == 1
    assert {one.framework for one in found} == {"pytorch"}
    assert trial(["mxnet"], 60.0, ("mxnet",))[0] == []


def made(between: float, framework: str = "numpy") -> Repeatability:
    """Return what a probe showed."""
    return Repeatability(
        subject="Add 16", framework=framework, seconds=1e-6, inside=0.01, between=between,
        processes=5,
    )  # fmt: skip


@pytest.mark.parametrize(("between", "level"), [(0.01, "ok"), (0.03, "note"), (0.2, "warning")])
def test_the_noisiest_probe_decides(between: float, level: str) -> None:
    """What it asks for is advised once, not for every probe."""
    (finding,) = noise_summary([made(0.005), made(between, "mxnet")])
    assert (finding.level, finding.value) == (level, between)
    assert "mxnet Add 16" in finding.figure
    assert ("fresh processes" in finding.advice) == (level != "ok")
    assert [one.level for one in noise_findings([made(0.005), made(between)])] == ["ok", level]
    assert noise_summary([]) == []


def test_a_real_child_measures_every_probe() -> None:
    """Real: NumPy, in turns, three times each, from about a microsecond to about a millisecond."""
    worker = Worker(framework="numpy", device="cpu", threads=1, limits=Limits())
    try:
        rows = measure_probes(worker, BRIEFEST)
    finally:
        worker.close()
    assert [len(times) for times in rows] == [REPEATS] * len(PROBES)
    assert all(seconds > 0 for times in rows for seconds in times)
