"""Samples of distributions of whole numbers, checked like those of random_distributions.py."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from opperf.operators.random.distributions import ROUNDING, SINGLE, TYPICAL, Distribution, drawn

if TYPE_CHECKING:
    from opperf.core.tensors.tensor import Array, Shape


class PoissonRandom(Distribution):
    """Samples of the Poisson distribution."""

    attributes = {"lam": 4.0, "shape": TYPICAL}
    reference = drawn(np.random.Generator.poisson)
    whole = True

    def shape_of(self) -> tuple[float, float, float]:
        """Return mean, deviation and kurtosis."""
        self.require_positive("lam")
        lam = self.inputs["lam"]
        return lam, sqrt(lam), 3 + 1 / lam


def bernoulli(random: np.random.Generator, *, prob: float, size: Shape) -> Array:
    """Draw."""
    return random.random(size) < prob


class BernoulliRandom(Distribution):
    """Ones with a probability, zeros else."""

    attributes = {"prob": 0.5, "shape": TYPICAL}
    reference = drawn(bernoulli)
    whole = True

    def shape_of(self) -> tuple[float, float, float]:
        """Return mean, deviation and kurtosis."""
        prob = self.inputs["prob"]
        self.require(0 < prob < 1, "prob", "must lie between 0 and 1")
        variance = prob * (1 - prob)
        return prob, sqrt(variance), 1 / variance - 3

    def supports(self, values: Array) -> bool:
        """Return whether there are two values only."""
        prob = self.inputs["prob"]
        found = values * sqrt(prob * (1 - prob)) + prob
        return super().supports(values) and bool(found.max() < 1 + ROUNDING * 1e3)


def whole_numbers(random: np.random.Generator, *, low: int, high: int, size: Shape) -> Array:
    """Draw."""
    return random.integers(low, high, size)


class RandInt(Distribution):
    """Whole numbers from `low` to below `high`, as int64; all are equally likely."""

    attributes = {"low": 0, "high": 1000, "shape": TYPICAL}
    reference = drawn(whole_numbers)
    dtypes = SINGLE
    positive = False
    whole = True

    def shape_of(self) -> tuple[float, float, float]:
        """Return mean, deviation and kurtosis."""
        low, high = self.inputs["low"], self.inputs["high"]
        self.require(high > low + 1, "high", f"must be above {low + 1}")
        count = high - low
        kurtosis = 1.8 * (count**2 - 7 / 3) / (count**2 - 1)
        return (low + high - 1) / 2, sqrt((count**2 - 1) / 12), kurtosis

    def output_dtypes(self) -> tuple[str, ...]:
        """Return the type of whole numbers."""
        return ("int64",)


def negative_binomial(random: np.random.Generator, *, k: int, p: float, size: Shape) -> Array:
    """Draw."""
    return random.negative_binomial(k, p, size)


class NegativeBinomialRandom(Distribution):
    """Failures before the k-th success of probability p."""

    attributes = {"k": 4, "p": 0.5, "shape": TYPICAL}
    reference = drawn(negative_binomial)
    whole = True

    def shape_of(self) -> tuple[float, float, float]:
        """Return mean, deviation and kurtosis."""
        self.require_positive("k", "p")
        k, p = self.inputs["k"], self.inputs["p"]
        self.require(p < 1, "p", "must be below 1")
        variance = k * (1 - p) / p**2
        return k * (1 - p) / p, sqrt(variance), 3 + 6 / k + 1 / variance


def generalized(
    random: np.random.Generator, mu: Array | float, alpha: Array | float, *, size: Shape
) -> Array:
    """Draw, with means and dispersions."""
    return random.negative_binomial(1 / alpha, 1 / (mu * alpha + 1), size)


class GeneralizedNegativeBinomialRandom(Distribution):
    """Samples of the negative binomial distribution of mean mu and dispersion alpha."""

    attributes = {"mu": 4.0, "alpha": 0.25, "shape": TYPICAL}
    reference = drawn(generalized)
    whole = True

    def shape_of(self) -> tuple[float, float, float]:
        """Return mean, deviation and kurtosis."""
        self.require_positive("mu", "alpha")
        mu, alpha = self.inputs["mu"], self.inputs["alpha"]
        variance = mu + alpha * mu**2
        return mu, sqrt(variance), 3 + 6 * alpha + 1 / variance


def geometric(random: np.random.Generator, *, p: float, size: Shape) -> Array:
    """Draw."""
    return random.geometric(p, size)


class GeometricRandom(Distribution):
    """Trials up to the first success of probability p."""

    attributes = {"p": 0.25, "shape": TYPICAL}
    reference = drawn(geometric)
    whole = True

    def shape_of(self) -> tuple[float, float, float]:
        """Return mean, deviation and kurtosis."""
        p = self.inputs["p"]
        self.require(0 < p < 1, "p", "must lie between 0 and 1")
        return 1 / p, sqrt(1 - p) / p, 9 + p**2 / (1 - p)
