"""Student's t: how often chance alone makes two means differ so much, and by how much."""

from __future__ import annotations

from functools import lru_cache
from math import exp, lgamma, log

STEPS = 200
CLOSE = 1e-12
TINY = 1e-300
KEPT = 1024
"""Quantiles that are remembered: each takes sixty tails, and many series are equally long."""


def tail(t: float, freedom: float) -> float:
    """Return the two-sided probability of a t at least this far from zero.

    It is the regularized incomplete beta function at freedom / (freedom + t^2), by the continued
    fraction of Lentz's method (Press et al., Numerical Recipes, 6.4).
    """
    x = freedom / (freedom + t * t)
    a, b = freedom / 2, 0.5
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(max(x, TINY)) + b * log1m(x))
    if x < (a + 1) / (a + b + 2):
        return min(front * fraction(a, b, x) / a, 1.0)
    return max(1 - front * fraction(b, a, 1 - x) / b, 0.0)


def log1m(x: float) -> float:
    """Return log(1 - x), of the least number above zero where x is 1."""
    return log(max(1 - x, TINY))


def fraction(a: float, b: float, x: float) -> float:
    """Return the continued fraction of the incomplete beta function."""
    c, d = 1.0, 1 / nonzero(1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, STEPS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1 / nonzero(1 + term * d)
            c = nonzero(1 + term / c)
            value *= c * d
        if abs(c * d - 1) < CLOSE:
            break
    return value


def nonzero(value: float) -> float:
    """Return the value, or one next to zero in its place."""
    return value if abs(value) > TINY else TINY


@lru_cache(KEPT)
def quantile(probability: float, freedom: float) -> float:
    """Return the t whose two-sided tail has this probability, by halving."""
    low, high = 0.0, 1.0
    while tail(high, freedom) > probability:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if tail(middle, freedom) > probability else (low, middle)
    return (low + high) / 2
