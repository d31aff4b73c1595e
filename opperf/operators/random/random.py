"""Random operators, checked by statistics of their samples: moments, support, elements.

The framework's seed is fixed, so a check is repeatable; a correct generator fails one in 3.5
million (5 sigma).
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from opperf.core.checking.correctness import Comparison
from opperf.core.tensors.tensor import DTYPES, Tensor
from opperf.declaring.declaration import Declaration
from opperf.declaring.elementwise import SHAPES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.checking.check import Check
    from opperf.core.tensors.tensor import Array, Shape

SIGMAS = 5
ROUNDING = {"float16": 2**-11, "bfloat16": 2**-8}
"""The bias that a dtype may give all standardized samples, as by rounding down."""


def near(
    name: str, actual: float, expected: float, deviation: float, slack: float = 0.0
) -> Comparison:
    """Compare a statistic with its expected value, within 5 standard deviations."""
    error, allowed = abs(actual - expected), SIGMAS * deviation + slack
    fault = f"{name} is {actual:.6g}, expected {expected:.6g} within {allowed:.2g}"
    return Comparison(error, 0.0, None if error <= allowed else fault)


class RandomOperator(Declaration, abstract=True):
    """An operator with random output: no gradient, and checked by statistics."""

    differentiable = False
    flops_per_element = 0  # how many it takes is the generator's own affair

    def require_probability(self, name: str) -> None:
        """Refuse a parameter that is no probability, or a certain one."""
        self.require(0 < self.inputs[name] < 1, name, "must lie between 0 and 1")

    def examine(self, values: Array, arrays: Sequence[Array]) -> Comparison:
        """Return how far an output of the right shape is from one that the inputs allow."""
        raise NotImplementedError

    def check_outputs(self, check: Check[Sequence[Array]]) -> Comparison:
        """Compare the shape, then the statistics."""
        (values,), (sample,) = check.actual, check.expected
        if values.shape != sample.shape:
            return Comparison(fault=f"output 0 has shape {values.shape}, expected {sample.shape}")
        return self.examine(values, check.arrays)


class Sampling(RandomOperator, abstract=True):
    """Samples of one distribution, standardized by `standard` to one of known moments.

    `moments` gives by name the power, the expected value and the standard deviation of each moment.
    """

    sizes = {size: {"shape": shape} for size, shape in SHAPES.items()}
    moments: Mapping[str, tuple[int, float, float]]

    def standard(self, values: Array) -> Array:
        """Return the standardized samples."""
        raise NotImplementedError

    def supports(self, values: Array) -> bool:
        """Return whether the distribution can yield these values."""
        return bool(np.isfinite(values).all())

    def outputs(self) -> tuple[Shape, ...]:
        """Return the requested shape."""
        return (self.inputs["shape"],)

    def examine(self, values: Array, arrays: Sequence[Array]) -> Comparison:
        """Check support, moments, and that neighbors are uncorrelated."""
        del arrays
        standard = self.standard(values.astype(float).ravel())
        if not self.supports(standard):
            return Comparison(fault="output 0 holds values that the distribution cannot yield")
        result, root, slack = Comparison(), sqrt(standard.size), ROUNDING.get(self.dtype, 0.0)
        for name, (power, moment, deviation) in self.moments.items():
            found = float(np.mean(standard**power))
            result = result.worst(near(name, found, moment, deviation / root, slack * power))
        related = float(np.sum(standard[1:] * standard[:-1])) / standard.size
        _, variance, _ = self.moments["variance"]
        return result.worst(near("covariance of neighbors", related, 0.0, variance / root, slack))


def normal_random(*, loc: float, scale: float, shape: Shape, dtype: str = "float64") -> Array:
    """Draw from the normal distribution."""
    return np.random.default_rng(0).normal(loc, scale, shape).astype(dtype, copy=False)


class NormalRandom(Sampling):
    """Samples of Normal(loc, scale), in a new tensor."""

    attributes = {"loc": 0.0, "scale": 1.0, "shape": SHAPES["typical"]}
    reference = normal_random
    moments = {
        "mean": (1, 0.0, 1.0),
        "variance": (2, 1.0, sqrt(2)),
        "fourth moment": (4, 3.0, sqrt(96)),
    }
    tags = ("core",)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the requested shape."""
        self.require(self.inputs["scale"] > 0, "scale", "must be positive")
        return super().outputs()

    def standard(self, values: Array) -> Array:
        """Return the samples standardized to mean 0 and variance 1."""
        return (values - self.inputs["loc"]) / self.inputs["scale"]


def uniform_random(*, low: float, high: float, shape: Shape, dtype: str = "float64") -> Array:
    """Draw from the uniform distribution."""
    return np.random.default_rng(0).uniform(low, high, shape).astype(dtype, copy=False)


class UniformRandom(Sampling):
    """Samples of Uniform(low, high), in a new tensor."""

    attributes = {"low": 0.0, "high": 1.0, "shape": SHAPES["typical"]}
    reference = uniform_random
    moments = {
        "mean": (1, 0.0, sqrt(1 / 3)),
        "variance": (2, 1 / 3, sqrt(1 / 5 - 1 / 9)),
        "fourth moment": (4, 1 / 5, sqrt(1 / 9 - 1 / 25)),
    }

    def outputs(self) -> tuple[Shape, ...]:
        """Return the requested shape."""
        low = self.inputs["low"]
        self.require(self.inputs["high"] > low, "high", f"must be above low={low}")
        return super().outputs()

    def standard(self, values: Array) -> Array:
        """Return the samples scaled to [-1, 1]."""
        low, high = self.inputs["low"], self.inputs["high"]
        return (2 * values - low - high) / (high - low)

    def supports(self, standard: Array) -> bool:
        """Return whether all samples lie in the range; rounding may reach its end."""
        return bool((np.abs(standard) <= 1 + ROUNDING["float16"]).all())


def shuffle(data: Array) -> Array:
    """Return the rows in random order."""
    return np.random.default_rng(0).permutation(data)


def sorted_rows(data: Array) -> Array:
    """Return each row's bytes, sorted, so that equal sets of rows compare equal."""
    rows = np.ascontiguousarray(data.reshape(len(data), -1) + 0.0)
    return np.sort(rows.view(f"V{rows.itemsize * rows.shape[1]}").ravel())


class Shuffle(RandomOperator):
    """The rows (slices along the first axis) in random order, in a new tensor.

    Forward only. Typical is a share of MNIST, 4096 images of 784 pixels; skewed has rows of one
    element.
    """

    tensors = {"data": Tensor()}
    sizes = {
        "small": {"data": (64, 64)},
        "typical": {"data": (4096, 784)},
        "large": {"data": (32768, 784)},
        "skewed": {"data": (100003, 1)},
    }
    reference = shuffle
    dtypes = DTYPES
    flops_per_element = 0  # rows are moved only

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        self.require_least_rank("data", 1)
        return (self.inputs["data"],)

    def examine(self, values: Array, arrays: Sequence[Array]) -> Comparison:
        """Compare the set of rows, and require an order other than the input's."""
        (data,) = arrays
        if not np.array_equal(sorted_rows(values.astype(float)), sorted_rows(data.astype(float))):
            return Comparison(fault="output 0 does not hold the rows of data, each once")
        before, after = (array.reshape(len(array), -1)[:, 0] for array in (data, values))
        if np.ptp(before) == 0:
            return Comparison()
        correlation = float(np.corrcoef(before, after)[0, 1])
        return near("correlation with data", correlation, 0.0, 1 / sqrt(len(before) - 1))
