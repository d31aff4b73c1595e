"""Comparing a framework's numbers with the reference's."""

from __future__ import annotations

import math

import numpy as np
import pytest

from opperf.core.checking.correctness import (
    PART,
    TOLERANCE,
    Comparison,
    compare,
    compare_all,
    named_outputs,
    tolerance_for,
)

EXPECTED = np.array([[1.0, -2.0], [3.0, 0.0]])


def test_equal_values_have_no_error() -> None:
    """What equals the reference is right, with errors of zero."""
    assert compare("output 0", EXPECTED.copy(), EXPECTED, 0.0) == Comparison()


def test_the_error_is_told_in_numbers_and_in_words() -> None:
    """The largest absolute and relative errors are kept, and the worst element is named."""
    actual = EXPECTED + np.array([[0.0, 0.0], [0.3, 0.0]])
    found = compare("output 0", actual, EXPECTED, 1e-3)
    assert found.max_abs_error == pytest.approx(0.3)
    assert found.max_rel_error == pytest.approx(0.3 / (3 + math.sqrt(3.5)))
    assert found.fault is not None
    assert found.fault.startswith("output 0 is 3.3 where the reference is 3 ")


@pytest.mark.parametrize(("dtype", "tolerance"), TOLERANCE.items())
def test_the_tolerance_is_a_share_of_the_scale(dtype: str, tolerance: float) -> None:
    """Just within the dtype's tolerance passes, just beyond does not."""
    scale = 3 + math.sqrt(3.5)
    for factor, right in ((0.99, True), (1.01, False)):
        actual = EXPECTED.copy()
        actual[1, 0] += factor * tolerance * scale
        found = compare("output 0", actual, EXPECTED, tolerance_for(dtype))
        assert (found.fault is None) is right


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_a_typical_element_that_is_off_by_a_thousandth_is_caught(dtype: str) -> None:
    """One element of a million is enough."""
    expected = np.random.default_rng(0).standard_normal(1_000_000)
    actual = expected.astype(dtype)
    at = int(np.abs(np.abs(expected) - 1).argmin())
    actual[at] *= 1.001
    assert compare("output 0", actual, expected, tolerance_for(dtype)).fault


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_a_non_finite_value_where_the_reference_is_finite_is_a_fault(bad: float) -> None:
    """NaN never passes for a number, at any tolerance."""
    actual = EXPECTED.copy()
    actual[0, 0] = bad
    found = compare("output 0", actual, EXPECTED, 1e9)
    assert found.fault == "output 0 is NaN or infinite where the reference is finite"
    assert math.isfinite(found.max_abs_error)


def test_non_finite_values_must_stand_in_the_same_places() -> None:
    """Where the reference is NaN or infinite, the same is right and everything else wrong."""
    expected = np.array([1.0, math.nan, math.inf, -math.inf])
    assert compare("output 0", expected.copy(), expected, 1e-9).fault is None
    for at, wrong in ((1, 0.0), (2, -math.inf), (3, 1.0), (2, math.nan)):
        actual = expected.copy()
        actual[at] = wrong
        assert compare("output 0", actual, expected, 1e-9).fault


def test_shapes_must_be_equal() -> None:
    """A result that would broadcast is still the wrong result."""
    found = compare("output 0", np.ones((1, 4)), np.ones(4), 1.0)
    assert found.fault == "output 0 has shape (1, 4), expected (4,)"
    assert compare("output 0", np.ones((0, 4)), np.ones((0, 4)), 0.0).fault is None


def test_whole_numbers_must_be_equal() -> None:
    """A position that is off by one is wrong, however long the row and wide the tolerance."""
    expected = np.array([50_000, 50_256, 17])
    assert compare("output 1", expected.astype(float), expected, 0.1).fault is None
    assert compare("output 1", expected + np.eye(3, dtype=int)[0], expected, 0.1).fault


def test_zeros_must_be_zero() -> None:
    """Where the reference has no scale at all, every difference exceeds it."""
    assert compare("output 0", np.zeros(3), np.zeros(3), 1e-9).fault is None
    assert compare("output 0", np.full(3, 1e-3), np.zeros(3), 1e-4).fault


@pytest.mark.parametrize("size", [1e200, 1e-200])
def test_huge_and_tiny_values_have_a_scale_too(size: float) -> None:
    """Values whose squares no float holds are compared as all others are."""
    expected = size * np.array([1.0, 2.0])
    assert compare("output 0", expected.copy(), expected, 1e-9).fault is None
    assert compare("output 0", expected * 1.1, expected, 1e-3).fault


def test_a_single_value_is_compared_like_many() -> None:
    """What has no dimension at all, as the sum over everything has none."""
    assert compare("output 0", np.array(2.0), np.array(2.0), 1e-9).fault is None
    fault = compare("output 0", np.array(2.0), np.array(1.0), 1e-4).fault
    assert fault is not None
    assert fault.startswith("output 0 is 2 where the reference is 1 ")


@pytest.mark.parametrize("at", [0, PART - 1, PART, 2 * PART])
def test_an_error_is_found_wherever_it_is(at: int) -> None:
    """Values are compared part by part; the worst one is told."""
    expected = np.ones(2 * PART + 1)
    actual = expected.copy()
    actual[3] += 1e-3
    actual[at] = 7
    found = compare("output 0", actual, expected, 1e-4)
    assert (found.max_abs_error, found.max_rel_error) == (6, 3)
    assert found.fault is not None
    assert found.fault.startswith("output 0 is 7 ")


def test_all_results_must_be_there() -> None:
    """A result too few is a fault; otherwise the first fault and the worst errors stand."""
    expected = named_outputs([np.ones(2), np.ones(3), np.ones(4)])
    assert compare_all(named_outputs([np.ones(2)]), expected, 1.0).fault is not None
    actual = named_outputs([np.ones(2), np.full(3, 1.5), np.full(4, 2.0)])
    found = compare_all(actual, expected, 1e-3)
    assert found.fault is not None
    assert found.fault.startswith("output 1")
    assert found.max_abs_error == 1.0


def test_numerical_gradients_are_not_asked_for_more_than_they_can_give() -> None:
    """Finite differences are good to 1e-6, which float64's own tolerance would not allow."""
    assert tolerance_for("float64", numerical=True) == 1e-6
    assert tolerance_for("float32", numerical=True) == tolerance_for("float32")
    assert tolerance_for("int32") == 0
