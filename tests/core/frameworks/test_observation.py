"""What a device tells of itself, from the framework to the record."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.frameworks.observation import (
    Observation,
    clock_warnings,
    is_launch_bound,
    time_warnings,
)
from opperf.core.frameworks.registry import find_framework
from opperf.core.results.reading import from_mapping
from opperf.core.statistics.warning import MeasurementWarning
from opperf.nd import Exp

if TYPE_CHECKING:
    from opperf.core.results.result import Result

TIMES = {"submit": 1e-5, "device": 2e-6, "latency": 1.4e-5, "graph": False}


def measured() -> Result:
    """Return a result of a small operator."""
    operator = Exp(framework="numpy", size="small", runs=6, warmup=0)
    return operator.run_benchmark()[0]


def test_what_is_observed_reaches_the_record(monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures, warnings, and the environment as it was right after the samples."""
    told: list[float] = []

    def observe(work: Any, seconds: float) -> Observation:
        told.append(seconds)
        assert work is tuned[-1]
        return Observation(
            device_times=TIMES,
            conditions={"gpu_state": [{"power": 75.5}]},
            warnings=[MeasurementWarning("throttled", "too hot")],
        )

    tuned: list[Any] = []
    framework = find_framework("numpy")
    monkeypatch.setattr(framework, "tune", lambda work: tuned.append(work) or work)
    monkeypatch.setattr(framework, "observe", observe)
    result = from_mapping(json.loads(measured().to_json()))
    assert told == [result.seconds]
    assert result.device_times.to_mapping() == TIMES
    assert result.environment["gpu_state"] == [{"power": 75.5}]
    assert result.summary is not None
    assert "throttled" in [note.code for note in result.summary.warnings]


def test_warnings_in_the_older_spelling_are_taken() -> None:
    """A plug-in written before 2026-11-23 says cautions."""
    found = MeasurementWarning("throttled", "too hot")
    assert Observation(cautions=[found]) == Observation(warnings=[found])


def test_a_cpu_has_no_figures_of_a_device() -> None:
    """Missing, not zero."""
    assert measured().device_times is None


@pytest.mark.parametrize(
    ("submit", "device", "bound"), [(0.79, 1.0, False), (0.81, 1.0, True), (1.0, 0.0, True)]
)
def test_launch_bound_begins_at_four_fifths(submit: float, device: float, bound: bool) -> None:
    """Where submitting a call takes more than 0.8 of the device's time for it."""
    assert is_launch_bound(submit, device) is bound


@pytest.mark.parametrize(
    ("changed", "late", "codes"),
    [
        ({}, 0.0, ["launch_bound"]),
        ({"graph": True}, 0.0, []),
        ({"submit": 1e-6}, 0.0, []),
        ({"submit": 1e-6}, 0.11, ["starved"]),
        ({}, 1.0, ["launch_bound", "starved"]),
    ],
)
def test_what_the_figures_of_a_gpu_warn_of(
    changed: dict[str, Any], late: float, codes: list[str]
) -> None:
    """A captured graph does not wait for the host; a few late batches the median ignores."""
    assert [note.code for note in time_warnings({**TIMES, **changed}, late)] == codes


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (None, []),
        ({}, []),
        ({"throttle_reasons": None}, []),
        ({"throttle_reasons": ["gpu_idle", "applications_clocks_setting"]}, []),
        ({"throttle_reasons": ["hw_slowdown"]}, ["the GPU slows its clock down: hw_slowdown"]),
    ],
)
def test_only_what_slows_a_gpu_down_is_warned_of(
    state: dict[str, Any] | None, said: list[str]
) -> None:
    """An idle GPU, or one whose clock the user has set, is as it should be."""
    assert [note.message for note in clock_warnings(state)] == said
