"""How long what is left will take."""

from __future__ import annotations

import pytest

from opperf.reporting.estimate import Estimate, clock_text


def test_nothing_is_known_before_something_is_done() -> None:
    """There is no estimate, rather than a wrong one; a task without a time teaches nothing."""
    estimate = Estimate(["Add", "Dot"])
    assert estimate.remaining() is None
    estimate.finish("Add", None)
    assert estimate.remaining() is None


def test_the_same_operator_is_expected_to_take_as_long() -> None:
    """And one that was never seen as long as the mean of all."""
    estimate = Estimate(["Add", "Add", "Add", "Dot", "Dot", "Exp"])
    estimate.finish("Add", 1.0)
    assert estimate.remaining() == pytest.approx(5.0)
    estimate.finish("Dot", 9.0)
    assert estimate.remaining() == pytest.approx(1 + 1 + 9 + 5)
    estimate.finish("Add", 3.0)
    assert estimate.remaining() == pytest.approx(2 + 9 + 13 / 3)


def test_nothing_is_left_at_the_end() -> None:
    """More tasks than were announced take no negative time."""
    estimate = Estimate(["Add"])
    estimate.finish("Add", 1.0)
    estimate.finish("Add", 1.0)
    assert estimate.remaining() == 0


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0:00"), (44.4, "0:44"), (59.6, "1:00"), (192, "3:12"), (3792, "1:03:12"), (-1, "0:00")],
)
def test_a_clock_has_minutes_and_seconds(seconds: float, text: str) -> None:
    """And hours where there are any."""
    assert clock_text(seconds) == text
