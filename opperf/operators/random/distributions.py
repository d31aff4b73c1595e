"""Samples of continuous distributions, checked by standardized mean and variance.

Parameters are such that an error of a tenth in the scale is seen in 4096 samples.
"""

from __future__ import annotations

from math import gamma as gamma_function
from math import isfinite, pi, sqrt
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from opperf.declaring.elementwise import SHAPES
from opperf.operators.random.random import Sampling

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.tensors.tensor import Array, Shape


EULER = 0.5772156649015329

ORDERS = (1, 2, 3, 4)

ROUNDING = 1e-6
"""How far below zero or from an integer a sample may round, in standard deviations."""

TYPICAL = SHAPES["typical"]

SINGLE = ("float32",)
"""The dtype of interfaces that draw in single precision only."""


def by_generator(draw: Callable[..., Array]) -> Any:
    """Return the reference that draws by NumPy's generator."""

    def reference(*, shape: Shape, dtype: str = "float64", **parameters: float) -> Array:
        """Draw from the distribution."""
        random = np.random.default_rng(0)
        return draw(random, size=shape, **parameters).astype(dtype, copy=False)

    return reference


class Distribution(Sampling, abstract=True):
    """Samples of a distribution, in a new tensor.

    `shape_of` returns mean, standard deviation and kurtosis (the fourth central moment over the
    squared variance) under the parameters; `positive` and `whole` state the support.
    """

    dtypes: ClassVar[tuple[str, ...]] = ("float64", "float32")
    positive = True
    whole = False

    def settle(self) -> None:
        """Compute the moments of the standardized samples."""
        _, deviation, kurtosis = moments = self.shape_of()
        if not all(map(isfinite, moments)) or deviation <= 0 or kurtosis < 1:
            raise ArithmeticError("a float holds no mean, deviation and kurtosis of the samples")
        self.moments = {"mean": (1, 0.0, 1.0), "variance": (2, 1.0, sqrt(kurtosis - 1))}

    def shape_of(self) -> tuple[float, float, float]:
        """Return mean, standard deviation and kurtosis."""
        raise NotImplementedError

    def require_positive(self, *names: str) -> None:
        """Refuse a parameter that is not positive."""
        for name in names:
            self.require(self.inputs[name] > 0, name, "must be positive")

    def standard(self, values: Array) -> Array:
        """Return the samples standardized to mean 0 and variance 1."""
        mean, deviation, _ = self.shape_of()
        return (values - mean) / deviation

    def supports(self, values: Array) -> bool:
        """Return whether all samples are finite, and positive and integers where required."""
        mean, deviation, _ = self.shape_of()
        found = values * deviation + mean
        positive = not self.positive or found.min() > -ROUNDING
        whole = not self.whole or np.abs(found - np.rint(found)).max() < ROUNDING * 1e3
        return bool(np.isfinite(values).all() and positive and whole)


class ExponentialRandom(Distribution):
    """Samples of the exponential distribution."""

    attributes = {"scale": 2.0, "shape": TYPICAL}
    reference = by_generator(np.random.Generator.exponential)

    def shape_of(self) -> tuple[float, float, float]:
        """Return mean, standard deviation and kurtosis."""
        self.require_positive("scale")
        return self.inputs["scale"], self.inputs["scale"], 9.0


def gamma(random: np.random.Generator, *, alpha: float, beta: float, size: Shape) -> Array:
    """Draw from the gamma distribution with scale beta."""
    return random.gamma(alpha, beta, size)


class GammaRandom(Distribution):
    """Samples of the gamma distribution with shape alpha and scale beta."""

    attributes = {"alpha": 4.0, "beta": 0.5, "shape": TYPICAL}
    reference = by_generator(gamma)

    def shape_of(self) -> tuple[float, float, float]:
        """Return mean, standard deviation and kurtosis."""
        self.require_positive("alpha", "beta")
        alpha, beta = self.inputs["alpha"], self.inputs["beta"]
        return alpha * beta, sqrt(alpha) * beta, 3 + 6 / alpha


class GumbelRandom(Distribution):
    """Samples of the Gumbel distribution."""

    attributes = {"loc": 0.0, "scale": 2.0, "shape": TYPICAL}
    reference = by_generator(np.random.Generator.gumbel)
    dtypes = SINGLE
    positive = False

    def shape_of(self) -> tuple[float, float, float]:
        """Return mean, standard deviation and kurtosis."""
        self.require_positive("scale")
        loc, scale = self.inputs["loc"], self.inputs["scale"]
        return loc + EULER * scale, pi * scale / sqrt(6), 5.4


class LogisticRandom(Distribution):
    """Samples of the logistic distribution."""

    attributes = {"loc": 0.0, "scale": 2.0, "shape": TYPICAL}
    reference = by_generator(np.random.Generator.logistic)
    dtypes = SINGLE
    positive = False

    def shape_of(self) -> tuple[float, float, float]:
        """Return mean, standard deviation and kurtosis."""
        self.require_positive("scale")
        return self.inputs["loc"], pi * self.inputs["scale"] / sqrt(3), 4.2


class ParetoRandom(Distribution):
    """Samples of the Pareto distribution of the second kind (Lomax)."""

    attributes = {"a": 16.0, "shape": TYPICAL}
    reference = by_generator(np.random.Generator.pareto)
    dtypes = SINGLE

    def shape_of(self) -> tuple[float, float, float]:
        """Return mean, standard deviation and kurtosis, which exists above 4."""
        a = self.inputs["a"]
        self.require(a > 4, "a", "must be above 4")  # noqa: PLR2004 - where the kurtosis begins
        kurtosis = 3 * (a - 2) * (3 * a**2 + a + 2) / (a * (a - 3) * (a - 4))
        return 1 / (a - 1), sqrt(a / (a - 2)) / (a - 1), kurtosis


class RayleighRandom(Distribution):
    """Samples of the Rayleigh distribution."""

    attributes = {"scale": 2.0, "shape": TYPICAL}
    reference = by_generator(np.random.Generator.rayleigh)
    dtypes = SINGLE

    def shape_of(self) -> tuple[float, float, float]:
        """Return mean, standard deviation and kurtosis."""
        self.require_positive("scale")
        scale = self.inputs["scale"]
        kurtosis = (32 - 3 * pi**2) / (4 - pi) ** 2
        return scale * sqrt(pi / 2), scale * sqrt((4 - pi) / 2), kurtosis


class WeibullRandom(Distribution):
    """Samples of the Weibull distribution."""

    attributes = {"a": 1.5, "shape": TYPICAL}
    reference = by_generator(np.random.Generator.weibull)
    dtypes = SINGLE

    def shape_of(self) -> tuple[float, float, float]:
        """Return mean, standard deviation and kurtosis."""
        self.require_positive("a")
        first, second, third, fourth = (gamma_function(1 + n / self.inputs["a"]) for n in ORDERS)
        variance = second - first**2
        central = fourth - 4 * first * third + 6 * first**2 * second - 3 * first**4
        return first, sqrt(variance), central / variance**2


class LogNormalRandom(Distribution):
    """Samples of the log-normal distribution, checked by their logarithms."""

    attributes = {"mean": 1.0, "sigma": 0.5, "shape": TYPICAL}
    reference = by_generator(np.random.Generator.lognormal)
    positive = False

    def shape_of(self) -> tuple[float, float, float]:
        """Return mean, standard deviation and kurtosis of the logarithms."""
        self.require_positive("sigma")
        return self.inputs["mean"], self.inputs["sigma"], 3.0

    def standard(self, values: Array) -> Array:
        """Return the logarithms standardized to mean 0 and variance 1."""
        return super().standard(np.log(np.maximum(values, 1e-300)))


def cauchy(random: np.random.Generator, *, median: float, sigma: float, size: Shape) -> Array:
    """Draw from the Cauchy distribution."""
    return median + sigma * random.standard_cauchy(size)


class CauchyRandom(Distribution):
    """Samples of the Cauchy distribution, checked by the logarithms of their distances.

    It has no moments itself; the logarithms have those of the hyperbolic secant distribution.
    """

    attributes = {"median": 0.0, "sigma": 1.0, "shape": TYPICAL}
    sizes = {**Sampling.sizes, "small": {"shape": (128, 128)}}
    reference = by_generator(cauchy)
    positive = False

    def shape_of(self) -> tuple[float, float, float]:
        """Return mean, standard deviation and kurtosis of log(|x - loc| / sigma)."""
        self.require_positive("sigma")
        return 0.0, pi / 2, 5.0

    def standard(self, values: Array) -> Array:
        """Return the logarithms standardized to mean 0 and variance 1."""
        distances = np.abs(values - self.inputs["median"]) / self.inputs["sigma"]
        return super().standard(np.log(np.maximum(distances, 1e-300)))
