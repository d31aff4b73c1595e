"""Samples of the shape and dtype of another tensor."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from opperf.core.tensors.tensor import Tensor
from opperf.declaring.elementwise import SHAPES
from opperf.operators.random.counts import BernoulliRandom
from opperf.operators.random.random import NormalRandom, RandomOperator, Sampling, UniformRandom

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.checking.correctness import Comparison
    from opperf.core.tensors.tensor import Array, Shape


def like_normal(data: Array) -> Array:
    """Draw from the standard normal distribution."""
    return np.random.default_rng(0).standard_normal(data.shape).astype(data.dtype)


class SamplingLike(RandomOperator, abstract=True):
    """Samples with the shape and dtype of another tensor."""

    tensors = {"data": Tensor()}
    sizes = {size: {"data": shape} for size, shape in SHAPES.items()}
    dtypes = ("float64", "float32")
    counterpart: ClassVar[type[Sampling]]

    unread = {"data": "only its shape"}

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        return (self.inputs["data"],)

    def examine(self, values: Array, arrays: Sequence[Array]) -> Comparison:
        """Check the samples like those of the same distribution by shape."""
        given = {**self.keywords, "shape": (values.size,), "dtype": self.dtype}
        same_for_all = self.counterpart(given)
        return same_for_all.examine(values.ravel(), arrays)


class NormalLike(SamplingLike):
    """Standard normal samples with the shape and dtype of another tensor."""

    reference = like_normal
    counterpart = NormalRandom


def like_uniform(data: Array) -> Array:
    """Draw from the uniform distribution."""
    return np.random.default_rng(0).random(data.shape).astype(data.dtype)


class UniformLike(SamplingLike):
    """Uniform samples in [0, 1) with the shape and dtype of another tensor."""

    reference = like_uniform
    counterpart = UniformRandom


def bernoulli_like(data: Array, *, prob: float) -> Array:
    """Draw 1 with probability prob, else 0."""
    return (np.random.default_rng(0).random(data.shape) < prob).astype(data.dtype)


class IBernoulli(SamplingLike):
    """data = 1 with probability prob, else 0, in place, as stochastic depth draws what it keeps."""

    tensors = {"data": Tensor(mutated=True)}
    attributes = {"prob": 0.5}
    unread = {"data": "overwritten"}
    reference = bernoulli_like
    counterpart = BernoulliRandom

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        self.require_probability("prob")
        return super().outputs()
