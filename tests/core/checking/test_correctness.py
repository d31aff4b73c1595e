"""Comparing a framework's numbers with the reference's."""

from __future__ import annotations

import math

import numpy as np
import pytest

from opperf.core.checking.correctness import (
    LARGEST,
    PART,
    Comparison,
    compare,
    compare_all,
    named_outputs,
)
from opperf.core.checking.tolerance import (
    CANCELING_SUMS,
    EXACT,
    RELATIVE,
    RELATIVE_ERROR,
    SMALLEST_NORMAL,
    Bound,
)

SUM = Bound(1e-3, 1e-3)
"""A thousandth of the element's own size, and as much of the root mean square."""
EXPECTED = np.array([[1.0, -2.0], [3.0, 0.0]])


def test_equal_values_have_no_error() -> None:
    """What equals the reference is right, with errors of zero."""
    assert compare("output 0", EXPECTED.copy(), EXPECTED, EXACT) == Comparison()


def test_the_error_is_told_in_numbers_and_in_words() -> None:
    """The largest absolute and relative errors are kept, and the worst element is named."""
    actual = EXPECTED + np.array([[0.0, 0.0], [0.3, 0.0]])
    for bound, scale in ((Bound(1e-3), 3), (SUM, 3 + math.sqrt(3.5))):
        found = compare("output 0", actual, EXPECTED, bound)
        assert found.max_abs_error == pytest.approx(0.3)
        assert found.max_rel_error == pytest.approx(0.3 / scale)
        assert found.fault is not None
        assert found.fault.startswith("output 0 is 3.3 where the reference is 3 ")


@pytest.mark.parametrize("dtype", RELATIVE_ERROR)
@pytest.mark.parametrize("size", [1.0, 1e-4])
def test_an_element_is_bounded_by_its_own_size(dtype: str, size: float) -> None:
    """Just within the tolerance passes, just beyond does not, beside elements however large."""
    for factor, right in ((0.98, True), (1.02, False)):
        expected = np.array([size, 1e4])
        actual = expected * [1 + factor * RELATIVE_ERROR[dtype], 1]
        found = compare("output 0", actual, expected, RELATIVE.bound(dtype))
        assert (found.fault is None) is right


@pytest.mark.parametrize("dtype", RELATIVE_ERROR)
def test_a_sum_is_bounded_by_the_root_mean_square_as_well(dtype: str) -> None:
    """As a sum that cancels carries the error of its terms; no more than its share is allowed."""
    bound = CANCELING_SUMS.bound(dtype)
    for factor, right in ((0.99, True), (1.01, False)):
        actual = EXPECTED.copy()
        actual[1, 1] += factor * bound.atol * math.sqrt(3.5)
        assert (compare("output 0", actual, EXPECTED, bound).fault is None) is right


@pytest.mark.parametrize(("dtype", "digits"), [("float16", 2**-24), ("float32", 2.0**-149)])
def test_what_is_below_the_smallest_normal_value_may_lose_digits(dtype: str, digits: float) -> None:
    """Such values are spaced by more than their tolerance; one spacing is right, a zero is not."""
    expected = np.array([SMALLEST_NORMAL[dtype] / 8, 1.0])
    bound = RELATIVE.bound(dtype)
    assert compare("output 0", expected + np.array([digits / 2, 0]), expected, bound).fault is None
    assert compare("output 0", expected * [0, 1], expected, bound).fault


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
def test_an_element_that_is_off_by_half_a_percent_is_caught(dtype: str) -> None:
    """One element of a million is enough, the smallest of twelve decades as well."""
    expected = np.exp(np.linspace(-9, 9, 1_000_000))
    for at in (0, 500_000, 999_999):
        actual = expected.copy()
        actual[at] *= 1.005
        assert compare("output 0", actual, expected, RELATIVE.bound(dtype)).fault


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_a_non_finite_value_where_the_reference_is_finite_is_a_fault(bad: float) -> None:
    """NaN never passes for a number, at any tolerance."""
    actual = EXPECTED.copy()
    actual[0, 0] = bad
    found = compare("output 0", actual, EXPECTED, Bound(1e9))
    assert found.fault == "output 0 is NaN or infinite where the reference is finite"
    assert math.isfinite(found.max_abs_error)


def test_non_finite_values_must_stand_in_the_same_places() -> None:
    """Where the reference is NaN or infinite, the same is right and everything else wrong."""
    expected = np.array([1.0, math.nan, math.inf, -math.inf])
    assert compare("output 0", expected.copy(), expected, Bound(1e-9)).fault is None
    for at, wrong in ((1, 0.0), (2, -math.inf), (3, 1.0), (2, math.nan)):
        actual = expected.copy()
        actual[at] = wrong
        assert compare("output 0", actual, expected, Bound(1e-9)).fault


def test_shapes_must_be_equal() -> None:
    """A result that would broadcast is still the wrong result."""
    found = compare("output 0", np.ones((1, 4)), np.ones(4), Bound(1.0))
    assert found.fault == "output 0 has shape (1, 4), expected (4,)"
    assert compare("output 0", np.ones((0, 4)), np.ones((0, 4)), EXACT).fault is None


def test_whole_numbers_must_be_equal() -> None:
    """A position that is off by one is wrong, however long the row and wide the tolerance."""
    expected = np.array([50_000, 50_256, 17])
    assert compare("output 1", expected.astype(float), expected, Bound(0.1)).fault is None
    assert compare("output 1", expected + np.eye(3, dtype=int)[0], expected, Bound(0.1)).fault


def test_zeros_must_be_zero() -> None:
    """Where the reference has no scale at all, a difference exceeds it, or stands for itself."""
    for bound in (Bound(1e-4), Bound(1e-4, 1e-4)):
        assert compare("output 0", np.zeros(3), np.zeros(3), bound).fault is None
        assert compare("output 0", np.full(3, 1e-3), np.zeros(3), bound).fault
    assert compare("output 0", np.full(3, 1e-5), np.zeros(3), Bound(1e-4)).fault
    assert compare("output 0", np.full(3, 1e-5), np.zeros(3), Bound(1e-4, 1e-4)).fault is None


def test_an_error_that_no_share_expresses_is_still_a_number() -> None:
    """Of a zero, a thousand is more than a float holds; records hold finite numbers only."""
    found = compare("output 0", np.array([1000.0]), np.zeros(1), Bound(1e-4))
    assert found.fault is not None
    assert found.max_rel_error == LARGEST


@pytest.mark.parametrize("size", [1e200, 1e-200])
def test_huge_and_tiny_values_have_a_scale_too(size: float) -> None:
    """Values whose squares no float holds are compared as all others are."""
    expected = size * np.array([1.0, 2.0])
    assert compare("output 0", expected.copy(), expected, SUM).fault is None
    assert compare("output 0", expected * 1.1, expected, SUM).fault


def test_a_single_value_is_compared_like_many() -> None:
    """What has no dimension at all, as the sum over everything has none."""
    assert compare("output 0", np.array(2.0), np.array(2.0), Bound(1e-9)).fault is None
    fault = compare("output 0", np.array(2.0), np.array(1.0), Bound(1e-4)).fault
    assert fault is not None
    assert fault.startswith("output 0 is 2 where the reference is 1 ")


@pytest.mark.parametrize("at", [0, PART - 1, PART, 2 * PART])
def test_an_error_is_found_wherever_it_is(at: int) -> None:
    """Values are compared part by part; the worst one is told."""
    expected = np.ones(2 * PART + 1)
    actual = expected.copy()
    actual[3] += 1e-3
    actual[at] = 7
    found = compare("output 0", actual, expected, Bound(1e-4, 1e-4))
    assert (found.max_abs_error, found.max_rel_error) == (6, 3)
    assert found.fault is not None
    assert found.fault.startswith("output 0 is 7 ")


def test_all_results_must_be_there() -> None:
    """A result too few is a fault; otherwise the first fault and the worst errors stand."""
    expected = named_outputs([np.ones(2), np.ones(3), np.ones(4)])
    assert compare_all(named_outputs([np.ones(2)]), expected, Bound(1.0)).fault is not None
    actual = named_outputs([np.ones(2), np.full(3, 1.5), np.full(4, 2.0)])
    found = compare_all(actual, expected, Bound(1e-3))
    assert found.fault is not None
    assert found.fault.startswith("output 1")
    assert found.max_abs_error == 1.0


def test_numerical_gradients_are_not_asked_for_more_than_they_can_give() -> None:
    """Finite differences are good to 1e-6, which float64's own tolerance would not allow."""
    assert RELATIVE.bound("float64").numerical().rtol == 1e-6
    single = RELATIVE.bound("float32").numerical()
    assert single.rtol == RELATIVE_ERROR["float32"]
    assert 0 < single.atol <= 1e-8
    assert RELATIVE.bound("int32") == EXACT


def test_a_widened_bound_keeps_what_it_is_a_share_of() -> None:
    """Both errors grow by the factor, so that the scale stays."""
    assert SUM.widened(3) == Bound(3e-3, 3e-3)
    assert SUM.widened(3).share == SUM.share == 1


def test_a_tolerance_of_its_own_has_its_reason() -> None:
    """The rest stays what it was."""
    own = CANCELING_SUMS.with_atol("a reason", float32=1e-4)
    assert own.reason == "a reason"
    assert own.bound("float32") == Bound(1e-4, 1e-4, SMALLEST_NORMAL["float32"])
    assert own.bound("float16") == CANCELING_SUMS.because("another").bound("float16")
