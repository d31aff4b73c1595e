from typing import Any

import pytest

from opperf.history.statistics import difference, net_times, statistics

TIMES = [1.0, 2.0, 3.0, 4.0, 10.0]
EXPECTED = {
    "p0": 1.0, "p10": 1.4, "p50": 3.0, "p90": 7.6, "p100": 10.0,
    "mean": 4.0, "stdev": 12.5**0.5, "mad": 1.0, "cv": 12.5**0.5 / 4,
}  # fmt: skip


def test_the_statistics_are_those_by_hand() -> None:
    """Percentiles between neighbors by their distance, the stdev of a sample."""
    assert statistics(TIMES) == pytest.approx(EXPECTED)


def test_what_cannot_be_known_is_missing() -> None:
    """One time has no spread, none has nothing; neither is zero."""
    one = statistics([2.0])
    assert (one["p10"], one["mad"], one["stdev"], one["cv"]) == (2.0, 0.0, None, None)
    assert set(statistics([]).values()) == {None}


def test_the_difference_is_after_less_before() -> None:
    """By hand; missing on either side is missing."""
    found = difference(statistics(TIMES), statistics([value + 1 for value in TIMES]))
    assert found == pytest.approx({**dict.fromkeys(EXPECTED, 1.0), "stdev": 0.0, "mad": 0.0,
                                   "cv": 12.5**0.5 / 5 - 12.5**0.5 / 4})  # fmt: skip
    assert set(difference(statistics([]), statistics(TIMES)).values()) == {None}


def test_times_are_net_and_in_order(make_result: Any) -> None:
    """Per call, less the loop's cost, without those that something disturbed."""
    samples = {"seconds": [4.0, 2.0, 6.0], "iterations": 2, "first_call": 0.0, "null": 0.5}
    assert net_times(make_result(samples=samples)) == [1.5, 0.5, 2.5]
    assert net_times(make_result(samples={**samples, "left_out": [1]})) == [1.5, 2.5]
    assert net_times(make_result(samples=None)) == []
