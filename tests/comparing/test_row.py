"""Rows and what they amount to: means, controls, one-sidedness."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from opperf.comparing.campaign import CONFIRMING, Evidence, Rules
from opperf.comparing.row import rows_of
from opperf.comparing.total import Total, geometric

if TYPE_CHECKING:
    from tests.comparing.conftest import MakePair


def total_of(make_pair: MakePair, ratios: dict[str, float], **changes: str) -> Total:
    """Return the rows of operators that changed by so much in each of six sessions."""
    evidence = Evidence(Rules(first=6, most=6))
    for name, ratio in ratios.items():
        evidence.add(make_pair(ratio, name, **changes) for _ in range(6))
    return Total(rows_of(evidence))


def test_a_mean_of_ratios_that_are_all_the_same_has_no_interval() -> None:
    """One of width zero would promise what nobody has shown."""
    assert geometric([2.0] * 8) == (pytest.approx(2.0), None, 8)


def test_a_row_says_what_was_compared(make_pair: MakePair) -> None:
    """Seconds are medians over sessions, pairs their sum."""
    (row,) = total_of(make_pair, {"Add": 0.1}).rows
    assert (row.operator, row.direction, row.inputs) == ("Add", "forward", {"lhs": (2, 3)})
    assert row.a_seconds == 1e-6
    assert row.b_seconds == pytest.approx(1.105e-6, rel=1e-3)
    assert (row.sessions, row.pairs, row.verdict) == (6, 24, "slower")
    assert row.confirmed is None
    assert not row.control


def test_only_confirmed_slower_is_a_regression(make_pair: MakePair) -> None:
    """And what newly fails."""
    evidence = Evidence(Rules(first=6, most=6))
    for name, again in (("Add", 0.05), ("Exp", 0.0)):
        evidence.add(make_pair(0.05, name) for _ in range(6))
        evidence.add(make_pair(again, name, purpose="confirmation") for _ in range(CONFIRMING))
    evidence.add(make_pair(None, "Log", b_status="crashed") for _ in range(2))
    found = {row.operator: row.confirmed for row in Total(rows_of(evidence)).regressions()}
    assert found == {"Add": True, "Log": None}


def test_the_mean_is_geometric_over_what_both_did(make_pair: MakePair) -> None:
    """A doubling and a halving make nothing."""
    mean = total_of(make_pair, {"Add": 0.693147, "Exp": -0.693147}).mean()
    assert mean is not None
    assert mean[0] == pytest.approx(1.0)
    assert mean[2] == 2


def test_controls_are_rows_of_their_own(make_pair: MakePair) -> None:
    """One that is slower than itself fails; they are not in the mean."""
    evidence = Evidence(Rules(first=6, most=6))
    evidence.add(make_pair(0.0) for _ in range(6))
    evidence.add(make_pair(0.2, purpose="control") for _ in range(6))
    total = Total(rows_of(evidence))
    assert [row.verdict for row in total.failed_controls()] == ["slower"]
    assert [row.verdict for row in total.compared] == ["equivalent"]


@pytest.mark.parametrize(
    ("slower", "faster", "alarm"), [(17, 0, True), (0, 17, True), (9, 8, False), (3, 0, False)]
)
def test_one_sided_changes_raise_an_alarm(
    make_pair: MakePair, slower: int, faster: int, *, alarm: bool
) -> None:
    """Seventeen slower and none faster is no coin."""
    ratios = {f"S{n}": 0.1 for n in range(slower)} | {f"F{n}": -0.1 for n in range(faster)}
    assert total_of(make_pair, ratios).one_sided() is alarm


def test_no_rows_amount_to_nothing() -> None:
    """An empty comparison has no mean and no alarm."""
    total = Total([])
    assert total.mean() is None
    assert not total.one_sided()
    assert total.false_calls() == 0
