"""Samples with tensors of parameters, one row of samples per parameter."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from opperf.core.checking.correctness import Comparison
from opperf.core.tensors.tensor import Tensor
from opperf.operators.random.counts import generalized_negative_binomial
from opperf.operators.random.random import RandomOperator, near

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from opperf.core.tensors.tensor import Array, Shape


ROWS = {"small": (8, 512), "typical": (1024, 1024), "large": (4096, 4096), "skewed": (20011, 5)}
"""The number of parameters, and of samples for each."""


def rows_of(tensors: Mapping[str, Tensor]) -> dict[str, dict[str, object]]:
    """Return the shapes of these parameters by size, and the number of samples."""
    return {
        size: {**dict.fromkeys(tensors, (rows,)), "count": count}
        for size, (rows, count) in ROWS.items()
    }


def by_generator(draw: Callable[..., Array]) -> Any:
    """Return the reference that draws a row of samples per parameter."""

    def reference(*parameters: Array, count: int) -> Array:
        """Draw from the distributions."""
        columns = [parameter[:, None] for parameter in parameters]
        shape = (len(parameters[0]), count)
        found = draw(np.random.default_rng(0), *columns, size=shape)
        return found.astype(parameters[0].dtype, copy=False)

    return reference


class RowSampling(RandomOperator, abstract=True):
    """A row of `count` samples per parameter, checked by mean and variance of all samples.

    `shape_of` returns mean, variance and kurtosis of each distribution.
    """

    attributes = {"count": 1024}
    dtypes = ("float64", "float32")
    whole: ClassVar[bool] = False

    def shape_of(self, *parameters: Array) -> tuple[Array, Array, Array]:
        """Return mean, variance and kurtosis of each."""
        raise NotImplementedError

    def outputs(self) -> tuple[Shape, ...]:
        """Return one row per parameter."""
        shapes = [self.inputs[name] for name in self.tensors]
        for name, shape in zip(self.tensors, shapes, strict=True):
            fits = shape == shapes[0] and len(shape) == 1
            self.require(fits, name, "must be vectors of one length")
        self.require(self.inputs["count"] >= 1, "count", "must be at least 1")
        return ((*shapes[0], self.inputs["count"]),)

    def examine(self, values: Array, arrays: Sequence[Array]) -> Comparison:
        """Compare mean and variance of all samples, each standardized by its own distribution."""
        if not np.isfinite(values).all() or (self.whole and (values % 1).any()):
            return Comparison(fault="output 0 holds values that the distribution cannot yield")
        mean, variance, kurtosis = (
            column[:, None] for column in self.shape_of(*(a.astype(float) for a in arrays))
        )
        standard = (values.astype(float) - mean) / np.sqrt(variance)
        root = sqrt(standard.size)
        spread = sqrt(float(kurtosis.mean()) - 1)
        found = near("mean", float(standard.mean()), 0.0, 1 / root)
        return found.worst(near("variance", float((standard**2).mean()), 1.0, spread / root))


def same_for_all(kurtosis: float, like: Array) -> Array:
    """Return the same kurtosis for every row."""
    return np.full_like(like, kurtosis)


class SampleUniform(RowSampling):
    """Samples of Uniform(low, high), one row per parameter."""

    tensors = {"low": Tensor(low=0, high=1), "high": Tensor(low=2, high=4)}
    sizes = rows_of(tensors)
    reference = by_generator(np.random.Generator.uniform)

    def shape_of(self, *parameters: Array) -> tuple[Array, Array, Array]:
        """Return mean, variance and kurtosis of each."""
        low, high = parameters
        return (low + high) / 2, (high - low) ** 2 / 12, same_for_all(1.8, low)


class SampleNormal(RowSampling):
    """Samples of Normal(mu, sigma), one row per parameter."""

    tensors = {"mu": Tensor(low=2, high=4), "sigma": Tensor(low=0.5, high=2)}
    sizes = rows_of(tensors)
    reference = by_generator(np.random.Generator.normal)

    def shape_of(self, *parameters: Array) -> tuple[Array, Array, Array]:
        """Return mean, variance and kurtosis of each."""
        mu, sigma = parameters
        return mu, sigma**2, same_for_all(3.0, mu)


class SampleGamma(RowSampling):
    """Samples of the gamma distribution with shape alpha and scale beta, one row per parameter."""

    tensors = {"alpha": Tensor(low=2, high=6), "beta": Tensor(low=0.5, high=2)}
    sizes = rows_of(tensors)
    reference = by_generator(np.random.Generator.gamma)

    def shape_of(self, *parameters: Array) -> tuple[Array, Array, Array]:
        """Return mean, variance and kurtosis of each."""
        alpha, beta = parameters
        return alpha * beta, alpha * beta**2, 3 + 6 / alpha


def by_rate(random: np.random.Generator, lam: Array, *, size: Shape) -> Array:
    """Draw from the exponential distribution by its rate."""
    return random.exponential(1 / lam, size)


class SampleExponential(RowSampling):
    """Samples of the exponential distribution by its rate, one row per parameter."""

    tensors = {"lam": Tensor(low=0.5, high=2)}
    sizes = rows_of(tensors)
    reference = by_generator(by_rate)

    def shape_of(self, *parameters: Array) -> tuple[Array, Array, Array]:
        """Return mean, variance and kurtosis of each."""
        (lam,) = parameters
        return 1 / lam, lam**-2, same_for_all(9.0, lam)


class SamplePoisson(RowSampling):
    """Samples of Poisson(lam), one row per parameter."""

    tensors = {"lam": Tensor(low=2, high=6)}
    sizes = rows_of(tensors)
    reference = by_generator(np.random.Generator.poisson)
    whole = True

    def shape_of(self, *parameters: Array) -> tuple[Array, Array, Array]:
        """Return mean, variance and kurtosis of each."""
        (lam,) = parameters
        return lam, lam, 3 + 1 / lam


def integers_between(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
    """Draw integers in [low, high]."""
    return random.integers(int(low), int(high) + 1, shape)


class SampleNegativeBinomial(RowSampling):
    """Samples of NB(k, p), failures before the k-th success, one row per parameter."""

    tensors = {
        "k": Tensor(low=2, high=6, initializer=integers_between),
        "p": Tensor(low=0.25, high=0.75),
    }
    sizes = rows_of(tensors)
    reference = by_generator(np.random.Generator.negative_binomial)
    whole = True

    def shape_of(self, *parameters: Array) -> tuple[Array, Array, Array]:
        """Return mean, variance and kurtosis of each."""
        k, p = parameters
        variance = k * (1 - p) / p**2
        return k * (1 - p) / p, variance, 3 + 6 / k + 1 / variance


class SampleGeneralizedNegativeBinomial(RowSampling):
    """Samples of the negative binomial distribution by mean and dispersion, by rows."""

    tensors = {"mu": Tensor(low=2, high=6), "alpha": Tensor(low=0.125, high=0.5)}
    sizes = rows_of(tensors)
    reference = by_generator(generalized_negative_binomial)
    whole = True

    def shape_of(self, *parameters: Array) -> tuple[Array, Array, Array]:
        """Return mean, variance and kurtosis of each."""
        mu, alpha = parameters
        variance = mu + alpha * mu**2
        return mu, variance, 3 + 6 * alpha + 1 / variance
