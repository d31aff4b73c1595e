"""Samples of discrete distributions, checked like those of distributions.py."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from opperf.operators.random.distributions import (
    ROUNDING,
    SINGLE,
    TYPICAL,
    Distribution,
    by_generator,
)

if TYPE_CHECKING:
    from opperf.core.tensors.tensor import Array, Shape


class PoissonRandom(Distribution):
    """Samples of Poisson(lam)."""

    attributes = {"lam": 4.0, "shape": TYPICAL}
    reference = by_generator(np.random.Generator.poisson)
    whole = True

    def shape_of(self) -> tuple[float, float, float]:
        """Return mean, standard deviation and kurtosis."""
        self.require_positive("lam")
        lam = self.inputs["lam"]
        return lam, sqrt(lam), 3 + 1 / lam


def bernoulli(random: np.random.Generator, *, prob: float, size: Shape) -> Array:
    """Draw from Bernoulli(p)."""
    return random.random(size) < prob


class BernoulliRandom(Distribution):
    """Samples of Bernoulli(p): 1 with probability p, else 0."""

    attributes = {"prob": 0.5, "shape": TYPICAL}
    reference = by_generator(bernoulli)
    whole = True

    def shape_of(self) -> tuple[float, float, float]:
        """Return mean, standard deviation and kurtosis."""
        self.require_probability("prob")
        prob = self.inputs["prob"]
        variance = prob * (1 - prob)
        return prob, sqrt(variance), 1 / variance - 3

    def supports(self, values: Array) -> bool:
        """Return whether there are only two values."""
        prob = self.inputs["prob"]
        found = values * sqrt(prob * (1 - prob)) + prob
        return super().supports(values) and bool(found.max() < 1 + ROUNDING * 1e3)


def integers(random: np.random.Generator, *, low: int, high: int, size: Shape) -> Array:
    """Draw integers."""
    return random.integers(low, high, size)


class RandInt(Distribution):
    """Uniform integers in [low, high), as int64."""

    attributes = {"low": 0, "high": 1000, "shape": TYPICAL}
    reference = by_generator(integers)
    dtypes = SINGLE
    positive = False
    whole = True

    def shape_of(self) -> tuple[float, float, float]:
        """Return mean, standard deviation and kurtosis."""
        low, high = self.inputs["low"], self.inputs["high"]
        self.require(high > low + 1, "high", f"must be above {low + 1}")
        count = high - low
        kurtosis = 1.8 * (count**2 - 7 / 3) / (count**2 - 1)
        return (low + high - 1) / 2, sqrt((count**2 - 1) / 12), kurtosis

    def output_dtypes(self) -> tuple[str, ...]:
        """Return int64."""
        return ("int64",)


def negative_binomial(random: np.random.Generator, *, k: int, p: float, size: Shape) -> Array:
    """Draw from NB(k, p)."""
    return random.negative_binomial(k, p, size)


class NegativeBinomialRandom(Distribution):
    """Samples of NB(k, p): failures before the k-th success."""

    attributes = {"k": 4, "p": 0.5, "shape": TYPICAL}
    reference = by_generator(negative_binomial)
    whole = True

    def shape_of(self) -> tuple[float, float, float]:
        """Return mean, standard deviation and kurtosis."""
        self.require_positive("k", "p")
        k, p = self.inputs["k"], self.inputs["p"]
        self.require(p < 1, "p", "must be below 1")
        variance = k * (1 - p) / p**2
        return k * (1 - p) / p, sqrt(variance), 3 + 6 / k + 1 / variance


def generalized_negative_binomial(
    random: np.random.Generator, mu: Array | float, alpha: Array | float, *, size: Shape
) -> Array:
    """Draw from NB with given mean and dispersion."""
    return random.negative_binomial(1 / alpha, 1 / (mu * alpha + 1), size)


class GeneralizedNegativeBinomialRandom(Distribution):
    """Samples of the negative binomial distribution with mean mu and dispersion alpha."""

    attributes = {"mu": 4.0, "alpha": 0.25, "shape": TYPICAL}
    reference = by_generator(generalized_negative_binomial)
    whole = True

    def shape_of(self) -> tuple[float, float, float]:
        """Return mean, standard deviation and kurtosis."""
        self.require_positive("mu", "alpha")
        mu, alpha = self.inputs["mu"], self.inputs["alpha"]
        variance = mu + alpha * mu**2
        return mu, sqrt(variance), 3 + 6 * alpha + 1 / variance


def geometric(random: np.random.Generator, *, p: float, size: Shape) -> Array:
    """Draw from Geometric(p)."""
    return random.geometric(p, size)


class GeometricRandom(Distribution):
    """Samples of Geometric(p): trials up to the first success."""

    attributes = {"p": 0.25, "shape": TYPICAL}
    reference = by_generator(geometric)
    whole = True

    def shape_of(self) -> tuple[float, float, float]:
        """Return mean, standard deviation and kurtosis."""
        self.require_probability("p")
        p = self.inputs["p"]
        return 1 / p, sqrt(1 - p) / p, 9 + p**2 / (1 - p)
