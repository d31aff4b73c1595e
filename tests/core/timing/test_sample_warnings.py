"""Warnings as values: each is given where it is due, and only there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from opperf.core.configuration.settings import Settings
from opperf.core.statistics.summary import Summary
from opperf.core.timing.measure import Samples
from opperf.core.timing.noise import Noise
from opperf.core.timing.sample_warnings import (
    changed_share,
    cross_check,
    ending,
    is_unreliable,
    sample_warnings,
    value_drift,
)

SAMPLES = Samples(
    seconds=(1.0,) * 10,
    iterations=1,
    first_call=2.0,
    loop_overhead=1e-9,
    method="interval",
    stop_reason="precision",
    steady=True,
)
SUMMARY = Summary(
    n=10,
    n_eff=10.0,
    minimum=1.0,
    median=1.0,
    mean=1.0,
    mad=0.0,
    iqr=0.0,
    p5=1.0,
    p90=1.0,
    p99=1.0,
    interval=(1.0, 1.0),
    precision=0.0,
    outlier_share=0.0,
    bimodal=False,
    drift=0.0,
)


def codes(
    samples: dict[str, object] | None = None,
    summary: dict[str, object] | None = None,
    settings: Settings | None = None,
) -> dict[str, bool]:
    """Return the codes given for changed samples and summary, with whether that is unreliable."""
    what = (
        replace(SAMPLES, **samples or {}),
        replace(SUMMARY, **summary or {}),
        settings or Settings(),
    )
    return dict.fromkeys((note.code for note in sample_warnings(*what)), is_unreliable(*what))


def test_samples_beside_slow_probes_are_told() -> None:
    """Above a fifth of them the reader should know; left in, they make the number noisy."""
    quiet = Noise(
        marked=0.2, cpu_share=1.0, context_switches=0, page_faults=0, steal=0.0, pressure=0.0
    )
    busy = replace(quiet, marked=0.21)
    assert codes({"noise": quiet}) == {}
    assert codes({"noise": busy, "left_out": (0, 1)}) == {"disturbed": False}
    assert codes({"noise": busy}) == {"disturbed": True}
    assert codes({"noise": busy}, settings=Settings(runs=10)) == {"disturbed": False}
    assert codes({"noise": replace(quiet, marked=None)}) == {}


def test_a_quiet_measurement_has_no_warning() -> None:
    """Nothing is said where nothing is wrong."""
    assert codes() == {}


@pytest.mark.parametrize(
    ("summary", "expected"),
    [
        ({"precision": 0.06}, {"noisy": True}),
        ({"precision": 0.05}, {"imprecise": False}),
        ({"precision": 0.021}, {"imprecise": False}),
        ({"precision": 0.02}, {}),
        ({"precision": None, "interval": None, "n": 3}, {"no_interval": False}),
        ({"drift": 0.04}, {"drift": False}),
        ({"drift": -0.04}, {"drift": False}),
        ({"drift": 0.02}, {}),
        ({"bimodal": True}, {"bimodal": False}),
        ({"outlier_share": 0.3}, {"outliers": False}),
        ({"outlier_share": 0.1}, {}),
        ({"precision": None, "interval": None}, {"no_interval": True}),
    ],
)
def test_each_figure_has_its_warning(summary: dict[str, object], expected: dict[str, bool]) -> None:
    """What exceeds a limit is told by its code; too noisy to use is what the status will say."""
    assert codes(summary=summary) == expected


@pytest.mark.parametrize(
    ("median", "status"),
    [(-4.63e-3, "no_time"), (0.0, "no_time"), (9e-9, "no_time"), (9.1e-9, "ok"), (2e9, "no_time")],
)
def test_a_median_within_the_loop_overhead_is_no_time(median: float, status: str) -> None:
    """A slope under load can be negative; the reason says what to do."""
    samples, summary = replace(SAMPLES, loop_overhead=9e-9), replace(SUMMARY, median=median)
    found, reason = ending(samples, summary, Settings(), ())
    assert found == status
    assert (reason is None) == (status == "ok")
    assert reason is None or "quieter machine" in reason


def test_an_unsteady_warmup_is_told() -> None:
    """The reader must know that the times were still moving."""
    assert codes(samples={"steady": False}) == {"no_steady_state": False}


def test_a_number_of_runs_was_not_asked_to_be_precise() -> None:
    """With runs given, missing the precision is no one's surprise, but noise still is."""
    settings = Settings(runs=10)
    assert codes(summary={"precision": 0.02}, settings=settings) == {}
    assert codes(summary={"precision": 0.2}, settings=settings) == {"noisy": True}


def test_who_asks_for_little_precision_gets_it_without_a_flag() -> None:
    """The widest reliable interval is twice what was asked for, and never below 5 %."""
    assert codes(summary={"precision": 0.1}, settings=Settings(precision=0.05)) == {
        "imprecise": False
    }
    assert codes(summary={"precision": 0.101}, settings=Settings(precision=0.05)) == {"noisy": True}
    precise = Settings(precision=0.005)
    assert codes(summary={"precision": 0.05}, settings=precise) == {"imprecise": False}
    assert codes(summary={"precision": 0.051}, settings=precise) == {"noisy": True}


def test_every_message_is_one_line_without_a_full_stop() -> None:
    """Messages can stand in a table and in a sentence."""
    samples = replace(SAMPLES, steady=False)
    summary = replace(SUMMARY, precision=0.2, drift=0.5, bimodal=True, outlier_share=0.5)
    for note in sample_warnings(samples, summary, Settings()):
        assert "\n" not in note.message
        assert not note.message.endswith(".")


@pytest.mark.parametrize(("both", "expected"), [(3.0, 0), (3.09, 0), (2.91, 0), (3.2, 1), (2.8, 1)])
def test_the_backward_is_checked_against_the_difference(both: float, expected: int) -> None:
    """Forward and backward together must cost the sum of the two, within 5 % of the backward."""
    medians = {"forward": 0.5, "forward_recorded": 1.0, "backward": 2.0, "forward_backward": both}
    assert len(list(cross_check(medians))) == expected


def test_nothing_is_cross_checked_where_a_direction_is_missing() -> None:
    """Two of the three figures say nothing about each other, and zero cannot be divided by."""
    assert list(cross_check({"forward_recorded": 1.0, "forward_backward": 9.0})) == []
    zero = {"forward_recorded": 1.0, "backward": 0.0, "forward_backward": 9.0}
    assert list(cross_check(zero)) == []


def test_values_that_changed_are_counted() -> None:
    """NaN that stays NaN is no change; arrays without values have none."""
    before = np.array([np.nan, np.inf, 0.0, 1.0])
    assert changed_share([before], [before.copy()]) == 0
    assert changed_share([before], [np.array([np.nan, 1.0, 0.0, np.nan])]) == 0.5
    assert changed_share([before, np.arange(4)], [before, np.array([0, 1, 2, 4])]) == 1 / 8
    assert changed_share([], []) == changed_share([np.empty(0)], [np.empty(0)]) == 0


@pytest.mark.parametrize(("share", "words"), [(0.25, "25.00% of"), (1e-9, "under 0.01% of")])
def test_inputs_that_did_not_stay_what_they_were_are_told(share: float, words: str) -> None:
    """However few there are; no change is no warning."""
    (note,) = value_drift(share)
    assert note.code == "value_drift"
    assert words in note.message
    assert list(value_drift(0.0)) == []
