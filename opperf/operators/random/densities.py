"""Probability densities of distributions, one row of samples per parameter.

They are deterministic, though named random: compared value by value. Typical are 64 samples of 256
distributions.
"""

from __future__ import annotations

from math import lgamma, pi, prod
from typing import TYPE_CHECKING, Any

import numpy as np

from opperf.core.tensors.tensor import Tensor
from opperf.declaring.declaration import Declaration
from opperf.operators.random.parameters import integers_between
from opperf.operators.special.gamma import DIGAMMA

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from opperf.core.tensors.tensor import Array, Shape

ROWS: Mapping[str, tuple[int, int]] = {
    "small": (4, 16),
    "typical": (256, 64),
    "large": (1024, 256),
    "skewed": (97, 3),
}
COUNT = Tensor(low=0, high=8, differentiable=False, initializer=integers_between)


def log_gamma(values: Array) -> Array:
    """log(gamma(x)), in the values' precision."""
    found: Array = np.vectorize(lgamma, otypes=[float])(values)
    return found.astype(values.dtype)


def rows_of(tensors: Mapping[str, Tensor]) -> dict[str, dict[str, Shape]]:
    """Return the shapes by size: a row of samples per parameter."""
    return {
        size: {**dict.fromkeys(tensors, (rows,)), "sample": (rows, count)}
        for size, (rows, count) in ROWS.items()
    }


def by_rows(density: Callable[..., Array]) -> Any:
    """Return the reference of a density whose parameters apply to one row each."""

    def reference(sample: Array, *parameters: Array) -> Array:
        """Return the density of each sample."""
        return density(sample, *(parameter[:, None] for parameter in parameters))

    return reference


class Density(Declaration, abstract=True):
    """The density of each sample under its row's parameters."""

    dtypes = ("float64", "float32")
    gradient_tolerance = DIGAMMA
    flops_per_element = 10  # about ten operations a sample

    def outputs(self) -> tuple[Shape, ...]:
        """Return one density per sample."""
        self.require_rank("sample", 2)
        rows = self.inputs["sample"][:1]
        for name in list(self.tensors)[1:]:
            self.require(self.inputs[name] == rows, name, f"must be {rows}, one a row")
        return (self.inputs["sample"],)


def uniform(sample: Array, low: Array, high: Array) -> Array:
    """Return 1 / (high - low) for each sample."""
    return np.zeros_like(sample) + 1 / (high - low)


def normal(sample: Array, mu: Array, sigma: Array) -> Array:
    """exp(-((x - mu) / sigma)^2 / 2) / (sigma sqrt(2 pi))."""
    return np.exp(-(((sample - mu) / sigma) ** 2) / 2) / (sigma * np.sqrt(2 * pi))


def gamma(sample: Array, alpha: Array, beta: Array) -> Array:
    """Return the gamma density with shape alpha and rate beta."""
    powers = alpha * np.log(beta) + (alpha - 1) * np.log(sample) - beta * sample
    return np.exp(powers - log_gamma(alpha))


def exponential(sample: Array, lam: Array) -> Array:
    """Return lam exp(-lam x)."""
    return lam * np.exp(-lam * sample)


def poisson(sample: Array, lam: Array) -> Array:
    """lam^x exp(-lam) / x!."""
    return np.exp(sample * np.log(lam) - lam - log_gamma(sample + 1))


def negative_binomial(sample: Array, k: Array, p: Array) -> Array:
    """binomial(x + k - 1, x) p^k (1 - p)^x."""
    ways = log_gamma(sample + k) - log_gamma(sample + 1) - log_gamma(k)
    return np.exp(ways + k * np.log(p) + sample * np.log(1 - p))


def generalized_negative_binomial(sample: Array, mu: Array, alpha: Array) -> Array:
    """Return the negative binomial probability by mean and dispersion."""
    return negative_binomial(sample, 1 / alpha, 1 / (mu * alpha + 1))


class UniformDensity(Density):
    """1 / (high - low), per sample; independent of the samples."""

    tensors = {
        "sample": Tensor(low=1, high=2, differentiable=False),
        "low": Tensor(low=0, high=1),
        "high": Tensor(low=2, high=4),
    }
    sizes = rows_of(tensors)
    reference = by_rows(uniform)


class NormalDensity(Density):
    """exp(-((x - mu) / sigma)^2 / 2) / (sigma sqrt(2 pi)), per sample."""

    tensors = {"sample": Tensor(), "mu": Tensor(low=-1, high=1), "sigma": Tensor(low=0.5, high=2)}
    sizes = rows_of(tensors)
    reference = by_rows(normal)


class GammaDensity(Density):
    """beta^alpha x^(alpha - 1) exp(-beta x) / gamma(alpha), per sample."""

    tensors = {
        "sample": Tensor(low=0.5, high=4),
        "alpha": Tensor(low=1.5, high=4),
        "beta": Tensor(low=0.5, high=2),
    }
    sizes = rows_of(tensors)
    reference = by_rows(gamma)


class ExponentialDensity(Density):
    """lam exp(-lam x), per sample."""

    tensors = {"sample": Tensor(low=0.25, high=4), "lam": Tensor(low=0.5, high=2)}
    sizes = rows_of(tensors)
    reference = by_rows(exponential)


class PoissonDensity(Density):
    """lam^x exp(-lam) / x!, per sample."""

    tensors = {"sample": COUNT, "lam": Tensor(low=1, high=6)}
    sizes = rows_of(tensors)
    reference = by_rows(poisson)


class NegativeBinomialDensity(Density):
    """binomial(x + k - 1, x) p^k (1 - p)^x, per sample."""

    tensors = {"sample": COUNT, "k": Tensor(low=2, high=6), "p": Tensor(low=0.25, high=0.75)}
    sizes = rows_of(tensors)
    reference = by_rows(negative_binomial)


class GeneralizedNegativeBinomialDensity(Density):
    """The negative binomial probability by mean and dispersion, per sample."""

    tensors = {"sample": COUNT, "mu": Tensor(low=2, high=6), "alpha": Tensor(low=0.25, high=0.75)}
    sizes = rows_of(tensors)
    reference = by_rows(generalized_negative_binomial)


def dirichlet(sample: Array, alpha: Array) -> Array:
    """gamma(sum(alpha)) prod(x^(alpha - 1) / gamma(alpha))."""
    norm = log_gamma(alpha.sum(axis=-1)) - log_gamma(alpha).sum(axis=-1)
    powers = ((alpha - 1)[:, None] * np.log(sample)).sum(axis=-1)
    return np.exp(powers + norm[:, None])


class DirichletDensity(Declaration):
    """gamma(sum(alpha)) prod(x^(alpha - 1) / gamma(alpha)) over three shares, per sample."""

    tensors = {
        "sample": Tensor(low=0.2, high=0.5),
        "alpha": Tensor(low=0.5, high=3),
    }
    sizes = {
        size: {"sample": (rows, count, 3), "alpha": (rows, 3)}
        for size, (rows, count) in ROWS.items()
    }
    reference = dirichlet
    dtypes = ("float64", "float32")
    gradient_tolerance = DIGAMMA

    def outputs(self) -> tuple[Shape, ...]:
        """Return one density per sample."""
        self.require_rank("sample", 3)
        rows, count, parts = self.inputs["sample"]
        self.require(self.inputs["alpha"] == (rows, parts), "alpha", f"must be {(rows, parts)}")
        return ((rows, count),)

    def flop_count(self) -> int:
        """Return about four operations per share."""
        return 4 * prod(self.inputs["sample"])
