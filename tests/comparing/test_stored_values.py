"""Another metric than the time in two stored runs, by the values of their sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from opperf.comparing.stored import APART, match
from opperf.comparing.stored_values import metric_row
from opperf.core.results.quantity import MetricRecord
from tests.records import changed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from opperf.comparing.row import ComparedRow
    from opperf.core.results.result import Result

    MakeResult = Callable[..., Result]


@pytest.fixture
def compared(make_result: MakeResult) -> Callable[..., ComparedRow]:
    """Return what compares a metric of two runs by their sessions' values."""

    def sessions(values: Sequence[float | None], **fields: Any) -> list[Result]:
        own: dict[str, Any] = {"name": "heat", "unit": "K", "better": "less", "per": "call"}
        reason = [None if value is not None else "no thermometer" for value in values]
        return [
            changed(
                make_result(),
                metrics=[MetricRecord(value=value, reason=why, **{**own, **fields})],
            )
            for value, why in zip(values, reason, strict=True)
        ]

    def compare(
        a: Sequence[float | None], b: Sequence[float | None], name: str = "heat", **fields: Any
    ) -> ComparedRow:
        (found,) = match(sessions(a, **fields), sessions(b, **fields)).matches
        return metric_row(found, name, 0.1)

    return compare


@pytest.mark.parametrize(
    ("a", "b", "better", "verdict"),
    [
        (100, 200, "less", "worse"),
        (200, 100, "less", "better"),
        (100, 200, "more", "better"),
        (100, 200, None, "different"),
        (100, 100, "less", "equivalent"),
        (100, 112, "less", "different"),
    ],
)
def test_one_session_of_each_has_what_time_apart_may_do(
    compared: Any, a: float, b: float, better: str | None, verdict: str
) -> None:
    """And says that nobody knows what it varies by."""
    row = compared([a], [b], better=better)
    assert (row.verdict, row.ratio, row.confirmed) == (verdict, b / a, None)
    assert row.interval[1] / row.ratio - 1 >= APART
    assert "one session of each run" in row.reason
    assert (row.values.a, row.values.b, row.values.unit, row.values.exact) == (a, b, "K", False)


@pytest.mark.parametrize("values", [(28.0, 65.4), (28.0, 28.0), (0.0, 5.0)])
def test_one_whole_run_of_each_decides_nothing(compared: Any, values: tuple[float, float]) -> None:
    """A script that said 28 today and 65 tomorrow may have changed in nothing."""
    row = compared([values[0]], [values[1]], per="run")
    assert (row.verdict, row.interval, row.reliable) == ("noisy", None, False)
    assert row.values.bounds is None
    assert "one session of each run" in row.reason
    assert compared([28.0, 28.1], [65.3, 65.4], per="run").verdict == "worse"
    assert compared([28.0], [65.4], per="run", interval=(27.9, 65.5)).verdict != "worse"


def test_sessions_that_agree_are_exact(compared: Any) -> None:
    """Without an interval, however small the change is."""
    row = compared([4096, 4096], [8192, 8192, 8192])
    assert (row.verdict, row.interval, row.values.exact) == ("worse", None, True)
    assert "exact: 2 and 3 sessions say the same" in row.reason


def test_what_sessions_differ_by_widens_the_interval(compared: Any) -> None:
    """Of either run."""
    alike, apart = compared([100, 101], [150, 151]), compared([100, 140], [150, 151])
    assert alike.verdict == "worse"
    assert apart.interval[1] / apart.interval[0] > alike.interval[1] / alike.interval[0]
    assert apart.verdict in {"noisy", "undecided", "different"}


def test_a_known_interval_widens_it_as_well(compared: Any) -> None:
    """That of a probe's own."""
    row = compared([100], [150], interval=(50.0, 300.0))
    assert row.verdict == "noisy"


@pytest.mark.parametrize(
    ("a", "b", "verdict"), [(0, 4096, "worse"), (4096, 0, "better"), (0, 0, "equivalent")]
)
def test_zero_is_judged_by_the_difference(compared: Any, a: float, b: float, verdict: str) -> None:
    """There is no ratio."""
    row = compared([a], [b])
    assert (row.verdict, row.ratio, row.interval) == (verdict, None, None)
    assert row.values.by_difference
    assert row.values.difference == b - a
    assert "by the difference" in row.reason


def test_what_a_run_lacks_is_said_with_its_reason(compared: Any) -> None:
    """It is no verdict on either."""
    row = compared([None], [5.0])
    assert (row.verdict, row.reason) == ("no_value", "run a: no thermometer")
    assert row.ratio is row.values.difference is None
    missing = compared([1.0], [5.0], name="energy")
    assert (missing.verdict, missing.values.unit) == ("no_value", "")
    assert "no such metric" in missing.reason
