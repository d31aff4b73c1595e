from math import exp, log, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opperf.history.calibration import HostLevel, calibration_factor, level_of
from opperf.history.model import Point


def host(by: float, error: float = 0.0, operators: int = 20) -> dict[str, dict[bytes, HostLevel]]:
    """Return the levels of a host whose times are so many times those of another."""
    return {
        f"op{place}": {b"subject": HostLevel(log(by) + place, error)} for place in range(operators)
    }


def test_a_host_is_held_against_the_median_of_the_others() -> None:
    """One of these that is slow by itself does not make it fast."""
    levels = {"a": host(1.0), "b": host(1.0), "c": host(1.0), "d": host(1.5)}
    slow, usual = calibration_factor("d", levels), calibration_factor("a", levels)
    assert slow is not None
    assert usual is not None
    assert (slow.ratio, slow.hosts, slow.operators) == (pytest.approx(1.5), 3, 20)
    assert usual.ratio == pytest.approx(1.0)


def test_many_operators_do_not_make_sessions_surer() -> None:
    """Each host's error counts whole; t of 19 at 2.5 % is 2.0930, and 1.25 is a median's part."""
    found = calibration_factor("a", {"a": host(1.0, 0.01), "b": host(1.0, 0.01)})
    assert found is not None
    expected = 2.0930 * 0.01 * sqrt(1 + 1.25**2)
    assert log(found.interval[1]) == pytest.approx(expected, rel=1e-4)


def test_a_host_alone_has_no_factor() -> None:
    """Nor has one with too few operators, or with none in common."""
    assert calibration_factor("a", {"a": host(1.0)}) is None
    few = {"a": host(1.0, operators=7), "b": host(1.0)}
    assert calibration_factor("a", few) is None
    apart = {"a": host(1.0), "b": {"op0": {b"another": HostLevel(0.0, 0.0)}}}
    assert calibration_factor("a", apart) is None


@given(st.floats(0.5, 2.0), st.floats(0.5, 2.0))
def test_the_factors_of_two_hosts_are_inverse(a: float, b: float) -> None:
    """Whatever their times."""
    levels = {"a": host(a), "b": host(b)}
    first, second = calibration_factor("a", levels), calibration_factor("b", levels)
    assert first is not None
    assert second is not None
    assert first.ratio * second.ratio == pytest.approx(1.0)
    assert first.ratio == pytest.approx(a / b)


def test_a_level_is_of_sessions_that_have_a_time() -> None:
    """Two of them at least; what failed and what is zero are none."""
    timed = [Point(at=place, value=value) for place, value in enumerate((1e-3, None, 0.0, 4e-3))]
    found = level_of(timed)
    assert found is not None
    assert exp(found.log_time) == pytest.approx(2e-3)
    assert level_of(timed[:3]) is None
    assert level_of([]) is None
