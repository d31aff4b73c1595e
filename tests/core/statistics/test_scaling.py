"""The line through times by size: what it says of generated times, whose truth is known."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opperf.core.statistics.scaling import FEWEST, Scaling, SizePoint, fit

SIZES = [12e3 * 4**step for step in range(8)]


def line(overhead: float, rate: float, sizes: list[float] = SIZES) -> list[SizePoint]:
    """Return points that lie on a line."""
    return [SizePoint(n, overhead + n / rate) for n in sizes]


def found(points: list[SizePoint]) -> Scaling:
    """Return the fit of points of which there are enough."""
    scaling = fit(points)
    assert scaling is not None
    return scaling


@settings(deadline=None)  # a loaded machine is no failure
@given(st.floats(-7, -4), st.floats(8, 11))
def test_a_line_is_found_again(exponent: float, power: float) -> None:
    """Whatever they are, where both are seen; the half-rate size is their product."""
    overhead, rate = 10**exponent, 10**power
    scaling = found(line(overhead, rate))
    assert scaling.cliffs == ()
    if scaling.overhead is not None:
        assert scaling.overhead == pytest.approx(overhead, rel=1e-3)
    else:
        assert overhead <= scaling.overhead_limit
    if scaling.rate is not None:
        assert scaling.rate == pytest.approx(rate, rel=0.01)
    if scaling.overhead and scaling.rate:
        assert scaling.half_rate == pytest.approx(scaling.overhead * scaling.rate)


def test_the_order_of_the_points_does_not_matter() -> None:
    """A resumed sweep has them in another one."""
    points = line(1e-6, 1e10)
    assert found(points[::-1]) == found(points)


def test_noise_moves_the_line_little() -> None:
    """With 2 % of noise on every point, both parts are found to 10 %."""
    random = np.random.default_rng(1)
    for _ in range(20):
        noise = np.exp(random.normal(0, 0.02, len(SIZES)))
        points = [
            SizePoint(point.n, point.seconds * factor)
            for point, factor in zip(line(2e-6, 1e10), noise, strict=True)
        ]
        scaling = found(points)
        assert scaling.overhead == pytest.approx(2e-6, rel=0.1)
        assert scaling.rate == pytest.approx(1e10, rel=0.1)


def test_intervals_hold_the_truth() -> None:
    """At 95 %, over noise on every point: of 300 lines, 90 % at least of each figure's do."""
    random = np.random.default_rng(2)
    truth = {"overhead": 2e-6, "rate": 1e10, "half_rate": 2e4}
    held = dict.fromkeys(truth, 0)
    for _ in range(300):
        noise = np.exp(random.normal(0, 0.02, len(SIZES)))
        points = [
            SizePoint(point.n, point.seconds * factor)
            for point, factor in zip(line(2e-6, 1e10), noise, strict=True)
        ]
        scaling = found(points)
        for name, value in truth.items():
            half = getattr(scaling, name) * getattr(scaling, f"{name}_error")
            held[name] += abs(getattr(scaling, name) - value) <= half
    assert all(270 <= count <= 300 for count in held.values()), held


def test_points_that_know_little_widen_the_intervals() -> None:
    """However well they lie on the line by chance; then a cost may not be seen at all."""
    sure = found(line(2e-6, 1e10))
    wide = [
        SizePoint(point.n, point.seconds, (point.seconds * 0.95, point.seconds * 1.05))
        for point in line(2e-6, 1e10)
    ]
    assert sure.overhead_error == pytest.approx(0, abs=1e-6)
    assert 0.03 < (found(wide).overhead_error or 0) < 0.3
    lost = [
        SizePoint(p.n, p.seconds, (p.seconds * 0.2, p.seconds * 1.8)) for p in line(2e-6, 1e10)[-4:]
    ]
    assert found(lost).overhead is None
    assert found(lost).overhead_limit > 2e-6


def test_a_cache_that_is_left_is_a_cliff() -> None:
    """The sizes beyond it do not bend the line within it; each says how far it is off."""
    points = [SizePoint(n, 1e-6 + n / (50e9 if n < 14e6 else 10e9)) for n in SIZES]
    scaling = found(points)
    assert scaling.overhead == pytest.approx(1e-6, rel=0.01)
    assert scaling.rate == pytest.approx(50e9, rel=0.01)
    assert [cliff.n for cliff in scaling.cliffs] == SIZES[6:]
    assert [cliff.ratio for cliff in scaling.cliffs] == pytest.approx([5, 5], rel=0.02)


def test_a_point_may_also_be_too_fast() -> None:
    """As where a larger size takes another, faster algorithm."""
    points = line(1e-6, 1e10)
    points[5] = SizePoint(points[5].n, points[5].seconds / 2)
    (cliff,) = found(points).cliffs
    assert cliff.n == points[5].n
    assert cliff.ratio == pytest.approx(0.5, rel=0.02)


def test_a_departure_within_the_interval_is_no_cliff() -> None:
    """Nor is one of less than 15 %."""
    points = line(1e-6, 1e10)
    slow = points[5].seconds * 1.5
    points[5] = SizePoint(points[5].n, slow, (slow / 2, slow * 2))
    points[6] = SizePoint(points[6].n, points[6].seconds * 1.1, None)
    assert found(points).cliffs == ()
    points[5] = SizePoint(points[5].n, slow, (slow * 0.99, slow * 1.01))
    assert [cliff.n for cliff in found(points).cliffs] == [points[5].n]


def test_a_constant_time_has_no_rate() -> None:
    """As of a view, however large the tensor."""
    scaling = found(line(1e-6, 1e30))
    assert scaling.overhead == pytest.approx(1e-6)
    assert (scaling.rate, scaling.half_rate) == (None, None)


def test_a_cost_that_is_not_seen_is_below_a_limit() -> None:
    """Where the smallest size takes long already, the fixed cost is not known but bounded."""
    scaling = found(line(1e-9, 1e9))
    assert (scaling.overhead, scaling.half_rate) == (None, None)
    assert scaling.overhead_limit == pytest.approx(0.05 * (1e-9 + SIZES[0] / 1e9))
    assert scaling.rate == pytest.approx(1e9, rel=0.01)


def test_times_that_fall_are_no_negative_rate() -> None:
    """Neither part is ever below zero."""
    for power in (0.5, 1.0, 2.0):
        scaling = found([SizePoint(n, 1e-3 / (1 + step) ** power) for step, n in enumerate(SIZES)])
        assert scaling.rate is None or scaling.rate > 0
        assert scaling.overhead_limit > 0
        assert scaling.cliffs


def test_too_few_sizes_are_no_line() -> None:
    """Nor are many times of one size, or a time that is none."""
    assert fit(line(1e-6, 1e9)[: FEWEST - 1]) is None
    assert fit([SizePoint(1e6, 1e-3)] * 10) is None
    assert fit([*line(1e-6, 1e9), SizePoint(1.0, 0.0)]) is None
    assert fit([]) is None
