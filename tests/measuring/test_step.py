"""The measuring step: what is called, compared and timed, in which order, of any work."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from itertools import repeat
from typing import TYPE_CHECKING

import numpy as np
import pytest

import opperf
from opperf.core.configuration.settings import Settings
from opperf.core.frameworks.device import Device
from opperf.core.frameworks.registry import find_framework
from opperf.core.frameworks.workload import Work, no_op_like
from opperf.core.results.outcome import Outcome
from opperf.core.statistics.warning import MeasurementWarning
from opperf.measuring import step
from opperf.measuring.attempt import Attempt
from opperf.measuring.step import RIGHT, Checks, measure_work
from opperf.nd import Exp

if TYPE_CHECKING:
    from collections.abc import Iterable

    from opperf.core.timing.measure import Samples

SETTINGS = Settings(runs=6, warmup=0)


@dataclass(kw_only=True)
class Script(Checks):
    """Checks whose answers are given, and which note when they are asked."""

    first: Outcome = field(default_factory=lambda: Outcome(status=RIGHT, reason="right"))
    fault: str | None = None
    moved: Iterable[MeasurementWarning] = ()
    asked: list[str] = field(default_factory=list)

    def compare(self, work: Work) -> Outcome:
        """Return what was given."""
        del work
        self.asked.append("compare")
        return self.first

    def drift(self) -> Iterable[MeasurementWarning]:
        """Return what was given."""
        self.asked.append("drift")
        return self.moved

    def compare_again(self) -> str | None:
        """Return what was given."""
        self.asked.append("compare again")
        return self.fault


@pytest.fixture
def calls() -> list[int]:
    """Return the calls of the work."""
    return []


@pytest.fixture
def work(calls: list[int]) -> Work:
    """Return a work that notes its calls."""
    call = partial(calls.append, 1)
    return Work(device=Device(), steps=partial(repeat, call), no_op=no_op_like(call))


def test_what_is_right_is_timed_and_compared_again(work: Work, calls: list[int]) -> None:
    """In this order."""
    checks = Script()
    outcome = measure_work(work, SETTINGS, checks, fill_holes=False)
    assert checks.asked == ["compare", "drift", "compare again"]
    assert outcome.samples
    assert len(outcome.samples.seconds) == 6
    assert len(calls) > 6
    assert outcome.summary


def test_what_is_wrong_is_called_once(work: Work, calls: list[int]) -> None:
    """And never timed; nor is what is only to be checked."""
    wrong = Outcome(status="wrong_result", reason="2, expected 3")
    assert measure_work(work, SETTINGS, Script(first=wrong), fill_holes=False) is wrong
    assert len(calls) == 1
    checks = Script()
    found = measure_work(work, SETTINGS, checks, fill_holes=False, check_only=True)
    assert found is checks.first
    assert len(calls) == 2


def test_what_turns_wrong_has_no_time(work: Work) -> None:
    """The reason says after how many calls."""
    outcome = measure_work(work, SETTINGS, Script(fault="nan"), fill_holes=False)
    assert (outcome.status, outcome.samples) == ("wrong_result", None)
    assert str(outcome.reason).startswith("right at first, wrong after some ")
    assert str(outcome.reason).endswith(" calls: nan")


def test_what_has_drifted_is_not_compared_again(work: Work) -> None:
    """It was computed on other inputs than the reference was."""
    note = MeasurementWarning("value_drift", "all of it")
    checks = Script(moved=[note], fault="nan", warnings=[MeasurementWarning("first", "of all")])
    outcome = measure_work(work, SETTINGS, checks, fill_holes=False)
    assert checks.asked == ["compare", "drift"]
    assert outcome.status in {"noisy", "no_time"}
    assert outcome.warnings[0].code == "first"
    assert note in outcome.warnings


def test_operators_and_callables_take_the_same_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is one place in which samples are taken for a record."""
    taken: list[Samples] = []
    measure = step.measure

    def noting(work: Work, settings: Settings, *, first_call: float) -> Samples:
        taken.append(measure(work, settings, first_call=first_call))
        return taken[-1]

    monkeypatch.setattr(step, "measure", noting)
    opperf.measure(np.exp, np.ones(8), runs=6, warmup=0)
    attempt = Attempt(Exp(size="small"), find_framework("numpy"), "cpu", SETTINGS)
    outcome = attempt.outcome("only", "forward")
    assert outcome.samples is taken[1]
    assert len(taken) == 2
