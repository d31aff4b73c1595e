"""Two runs taken apart in time: what is said of them, and what never is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from opperf.reporting.apart import join

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.result import Result

    Make = Callable[..., Result]


@pytest.mark.parametrize(
    ("a", "b", "verdict"),
    [
        ({}, {"seconds": 0.04}, "slower"),
        ({}, {"seconds": 0.02}, "faster"),
        ({}, {"seconds": 0.0316}, "undecided"),
        ({}, {"seconds": 0.04, "precision": None}, "undecided"),
        ({}, {"seconds": 0.04, "status": "noisy"}, "noisy"),
        ({}, {"status": "crashed"}, "newly_fails"),
        ({}, {"status": "unsupported"}, "undecided"),
        ({"status": "timeout"}, {}, "newly_works"),
        ({"status": "timeout"}, {"status": "timeout"}, "undecided"),
        ({}, {"status": "wrong_result"}, "wrong_result"),
    ],
)
def test_the_words(make: Make, a: dict[str, object], b: dict[str, object], verdict: str) -> None:
    """A time is never equivalent and never confirmed; a failure is what it is."""
    (row,) = join([make(**a)], [make(**b)]).verdicts
    assert row.verdict == verdict
    assert row.confirmed is False
    assert row.reason


def test_the_ratio_and_its_range(make: Make) -> None:
    """B over A, and the range that both intervals span."""
    (row,) = join([make(seconds=1.0, precision=0.01)], [make(seconds=2.0, precision=0.02)]).verdicts
    assert row.ratio == 2
    assert row.interval == pytest.approx((1.96 / 1.01, 2.04 / 0.99))


def test_a_nan_in_an_interval_is_no_interval(make: Make) -> None:
    """The row is undecided then, and nothing of it is NaN."""
    odd = make(seconds=0.04)
    summary = {**(odd.summary or {}), "interval": [float("nan"), float("nan")]}
    (row,) = join([make()], [make(seconds=0.04, summary=summary)]).verdicts
    assert row.interval is None


def test_what_only_one_has_is_counted(make: Make) -> None:
    """So is what means something else on the other side."""
    a = [make(series_key=key) for key in ("both", "unlike", "a")]
    b = [make(series_key="both"), make(series_key="unlike", definition_key="x"),
         make(series_key="b"), make(series_key="c")]  # fmt: skip
    joined = join(a, b)
    assert (len(joined.verdicts), joined.only_a, joined.only_b, joined.not_comparable) == (
        1, 1, 2, 1,
    )  # fmt: skip
