"""A against A: how many pairs of processes, within which time, and what becomes of failures."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from msgspec import structs

from opperf.core.errors import UsageError
from opperf.core.statistics.repeatability import Repeatability
from opperf.doctor import noise
from opperf.doctor.noise import FEWEST, MOST, PROBES, Trial, measure_probes, session_medians

if TYPE_CHECKING:
    from pathlib import Path

TAKES = 4.0
"""Seconds of a session, by the tests' own clock."""


@pytest.fixture
def trial(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that runs a trial of made-up sessions, and says which there were."""

    def run(frameworks: list[str], seconds: float, broken: tuple[str, ...] = ()) -> Any:
        now, started = [0.0], []

        def sessions(framework: str, number: int, folder: Path) -> list[Any]:
            assert folder.is_dir()
            now[0] += TAKES
            started.append(framework)
            if framework in broken:
                raise UsageError("it does not load")
            return [
                SimpleNamespace(
                    operator=SimpleNamespace(name=name), ratio=0.01 * (number % 2),
                    a_blocks=(1e-6,) * 4,
                    inputs=[SimpleNamespace(shape=next(iter(inputs.values())))],
                )
                for name, inputs in PROBES
            ]  # fmt: skip

        monkeypatch.setattr(noise, "measure_probes", sessions)
        made = Trial(frameworks, seconds, lambda _: None, clock=lambda: now[0])
        return made.run(), made.failures, started, now[0]

    return run


def test_five_pairs_within_the_time(trial: Any) -> None:
    """The frameworks take turns."""
    found, failures, started, took = trial(["mxnet", "pytorch"], 40.0)
    assert started == ["mxnet", "pytorch"] * FEWEST
    assert took == 40.0
    assert {(one.framework, one.sessions) for one in found} == {
        ("mxnet", FEWEST),
        ("pytorch", FEWEST),
    }
    assert len(found) == 2 * len(PROBES)
    assert failures == []


def test_time_that_is_left_goes_into_more_pairs(trial: Any) -> None:
    """Up to a dozen, which know the spread better; none that would end too late."""
    assert {one.sessions for one in trial(["numpy"], 1000.0)[0]} == {MOST}
    assert {one.sessions for one in trial(["numpy"], 7.5 * TAKES)[0]} == {7}


def test_too_little_time_is_exceeded(trial: Any) -> None:
    """Fewer than five pairs would say next to nothing."""
    _, _, started, _ = trial(["numpy"], 1.0)
    assert started == ["numpy"] * FEWEST


def test_a_framework_that_does_not_load_is_left_out(trial: Any) -> None:
    """It is one line, and the other is measured all the same."""
    found, failures, started, _ = trial(["mxnet", "pytorch"], 60.0, ("mxnet",))
    assert failures == ["mxnet: it does not load"]
    assert started.count("mxnet") == 1
    assert {one.framework for one in found} == {"pytorch"}
    assert trial(["mxnet"], 60.0, ("mxnet",))[0] == []


def made(between: float, framework: str = "numpy") -> Repeatability:
    """Return what a probe showed."""
    return Repeatability(
        subject="Add 16", framework=framework, seconds=1e-6, inside=0.01, between=between,
        apart=2 * between, sessions=5,
    )  # fmt: skip


@pytest.mark.parametrize(("between", "level"), [(0.01, "ok"), (0.03, "note"), (0.2, "warning")])
def test_the_noisiest_probe_decides(between: float, level: str) -> None:
    """What it asks for is advised once, not for every probe."""
    (finding,) = noise.noise_summary([made(0.005), made(between, "mxnet")])
    assert (finding.level, finding.value) == (level, between)
    assert "mxnet Add 16" in finding.figure
    assert ("opperf ab" in finding.advice) == (level != "ok")
    found = noise.noise_findings([made(0.005), made(between)])
    assert [one.level for one in found if one.check == "noise floor"] == ["ok", level]
    assert noise.noise_summary([]) == []


def test_a_real_session_measures_every_probe(tmp_path: Path) -> None:
    """Real: NumPy in two fresh processes, from about a microsecond to about a millisecond."""
    found = measure_probes("numpy", 1, tmp_path)
    assert len(found) == len(PROBES)
    for pair in found:
        assert pair.ratio is not None
        shown = session_medians(pair)
        assert min(shown.halves) > 0
        assert shown.ratio == pair.ratio
    assert session_medians(structs.replace(found[0], a_blocks=(1.0, 1.0, 2.0, 2.0))).halves == (
        1.0,
        2.0,
    )
