from math import exp, log, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opperf.history.pooling import HostEstimate, pool, variance_between

FREEDOM = 18
CASES = {
    "three": ([0.05, 0.02, 0.08], [0.01, 0.012, 0.02], 0.0006348936472340565,
              (1.0485008767159456, 0.9760502663219649, 1.1263293770891387)),
    "five": ([0.051, 0.048, 0.055, 0.012, 0.047], [0.004, 0.006, 0.005, 0.007, 0.01],
             0.0002581768505513515,
             (1.0438625330817197, 1.0216253466267378, 1.0665837447843782)),
}  # fmt: skip
"""statsmodels 0.15.0: combine_effects(y, se**2, method_re="iterated"), its tau2 and mean; the
interval with its scale_hksj_re and t of k - 1 degrees of freedom of SciPy 1.17.1; 2026-11-24."""


def estimates(values: list[float], errors: list[float]) -> list[HostEstimate]:
    """Return what hosts say that have twenty sessions each."""
    pairs = zip(values, errors, strict=True)
    return [HostEstimate(log_ratio=y, error=e, freedom=FREEDOM) for y, e in pairs]


@pytest.mark.parametrize("case", CASES)
def test_it_is_what_another_program_calculates(case: str) -> None:
    """Tau by Paule and Mandel, the interval by Hartung and Knapp."""
    values, errors, variance, expected = CASES[case]
    found = pool(estimates(values, errors))
    assert found.tau == pytest.approx(sqrt(variance), rel=1e-6)
    assert (found.ratio, *found.interval) == pytest.approx(expected, rel=1e-6)
    assert found.hosts == len(values)


def test_of_two_hosts_tau_is_known_in_closed_form() -> None:
    """(d^2 - v1 - v2) / 2 is its square; t of 1 at 2.5 % is 12.706, times |d| / 2 if alike."""
    found = pool(estimates([0.03, 0.07], [0.01, 0.015]))
    assert found.tau == pytest.approx(sqrt((0.04**2 - 0.01**2 - 0.015**2) / 2))
    alike = pool(estimates([0.03, 0.07], [0.01, 0.01]))
    assert log(alike.interval[1] / alike.ratio) == pytest.approx(12.706 * 0.02, rel=1e-4)


def test_hosts_that_agree_by_chance_are_no_surer_than_their_sessions() -> None:
    """The interval of Hartung and Knapp alone is +- 0.06 % here; t of 36 at 2.5 % is 2.0281."""
    found = pool(estimates([0.05, 0.0501], [0.01, 0.01]))
    half = log(found.interval[1] / found.ratio)
    assert half == pytest.approx(2.0281 * 0.01 / sqrt(2), rel=1e-4)


def test_one_host_has_its_own_interval_and_no_tau() -> None:
    """Student's t of 18 at 2.5 % is 2.1009."""
    found = pool(estimates([0.05], [0.01]))
    assert (found.hosts, found.tau) == (1, None)
    assert found.interval[1] == pytest.approx(exp(0.05 + 2.1009 * 0.01), rel=1e-5)


def test_hosts_without_any_noise_are_pooled() -> None:
    """Nothing is divided by zero, and what hosts differ by is all between them."""
    found = pool(estimates([0.05, 0.07, 0.06], [0.0, 0.0, 0.0]))
    assert found.ratio == pytest.approx(exp(0.06))
    assert found.tau == pytest.approx(0.01, rel=1e-6)


logs = st.floats(-2, 2).map(lambda value: round(value, 6))
errors = st.floats(1e-4, 0.5)
fleets = st.lists(st.tuples(logs, errors), min_size=2, max_size=12)


@given(fleets, st.floats(-1, 1))
def test_neither_order_nor_direction_nor_level_matters(
    fleet: list[tuple[float, float]], by: float
) -> None:
    """Before over after has the inverse ratio; what is common to all hosts is in the mean alone."""
    values, widths = map(list, zip(*fleet, strict=True))
    found = pool(estimates(values, widths))
    inverse = pool(estimates([-value for value in values], widths))
    moved = pool(estimates([value + by for value in values], widths))
    pairs = sorted(fleet)
    sorted_ = pool(estimates(*map(list, zip(*pairs, strict=True))))
    assert inverse.ratio == pytest.approx(1 / found.ratio, rel=1e-6)
    assert inverse.interval[0] == pytest.approx(1 / found.interval[1], rel=1e-6)
    assert moved.ratio == pytest.approx(found.ratio * exp(by), rel=1e-5)
    assert sorted_.ratio == pytest.approx(found.ratio, rel=1e-9)
    assert found.interval[0] <= found.ratio <= found.interval[1]
    assert exp(min(values)) * (1 - 1e-9) <= found.ratio <= exp(max(values)) * (1 + 1e-9)


@given(fleets)
def test_tau_leaves_as_many_squares_as_expected(fleet: list[tuple[float, float]]) -> None:
    """Or fewer where it is zero."""
    values, variances = [y for y, _ in fleet], [e * e for _, e in fleet]
    between = variance_between(values, variances)
    weights = [1 / (one + between) for one in variances]
    middle = sum(w * y for w, y in zip(weights, values, strict=True)) / sum(weights)
    squares = sum(w * (y - middle) ** 2 for w, y in zip(weights, values, strict=True))
    expected = len(values) - 1
    assert squares == pytest.approx(expected, rel=1e-3) if between else squares <= expected
