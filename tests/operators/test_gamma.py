"""The references of the gamma function's kin, at points where their values are known exactly."""

from __future__ import annotations

import math

import numpy as np

from opperf.operators.special.gamma import (
    digamma,
    lgamma,
    lower_gamma,
    multivariate_lgamma,
    polygamma,
    upper_gamma,
    zeta,
)
from opperf.operators.special.special import erfc, inverse_erf, normal_quantile

POINTS = np.linspace(0.5, 10, 96)


def test_digamma_is_known_at_one_and_a_half() -> None:
    """Euler's constant, and two logarithms of 2 less (DLMF 5.4.12, 5.4.13)."""
    euler = 0.5772156649015329
    expected = [-euler, -euler - 2 * math.log(2)]
    np.testing.assert_allclose(digamma(np.array([1.0, 0.5])), expected, rtol=1e-12)


def test_digamma_is_the_slope_of_lgamma() -> None:
    """By central differences, everywhere in its range."""
    step = 1e-5
    slope = (lgamma(POINTS + step) - lgamma(POINTS - step)) / (2 * step)
    np.testing.assert_allclose(digamma(POINTS), slope, rtol=1e-8, atol=1e-8)


def test_zeta_is_known_at_even_numbers() -> None:
    """Euler's pi^2 / 6 and pi^4 / 90, and one term less at 2."""
    data, shift = np.array([2.0, 4.0, 2.0]), np.array([1.0, 1.0, 2.0])
    expected = [math.pi**2 / 6, math.pi**4 / 90, math.pi**2 / 6 - 1]
    np.testing.assert_allclose(zeta(data, shift), expected, rtol=1e-12)


def test_polygamma_is_known_at_one() -> None:
    """The first is pi^2 / 6, the second twice Apery's constant, negative."""
    one = np.ones(1)
    np.testing.assert_allclose(polygamma(one, n=1), math.pi**2 / 6, rtol=1e-12)
    np.testing.assert_allclose(polygamma(one, n=2), -2 * 1.2020569031595942, rtol=1e-12)


def test_incomplete_gamma_of_one_is_an_exponential() -> None:
    """P(1, x) is 1 - exp(-x), and both parts make one (DLMF 8.4.5)."""
    x = np.linspace(0.25, 4, 31)
    np.testing.assert_allclose(lower_gamma(np.ones(31), x), -np.expm1(-x), rtol=1e-13)
    whole = lower_gamma(x, x) + upper_gamma(x, x)
    np.testing.assert_allclose(whole, np.ones(31), rtol=1e-13)


def test_multivariate_lgamma_of_one_dimension_is_lgamma() -> None:
    """Of two it follows by a recurrence (DLMF 35.3.4)."""
    np.testing.assert_array_equal(multivariate_lgamma(POINTS, p=1), lgamma(POINTS))
    expected = lgamma(POINTS + 1) + lgamma(POINTS + 0.5) + math.log(math.pi) / 2
    np.testing.assert_allclose(multivariate_lgamma(POINTS + 1, p=2), expected, rtol=1e-12)


def test_inverses_lead_back() -> None:
    """The error function of its inverse, and the share below a quantile."""
    values = np.linspace(-0.95, 0.95, 101)
    np.testing.assert_allclose(1 - erfc(inverse_erf(values)), values, atol=1e-14)
    shares = (1 + values) / 2
    below = erfc(-normal_quantile(shares) / math.sqrt(2)) / 2
    np.testing.assert_allclose(below, shares, rtol=1e-13)
