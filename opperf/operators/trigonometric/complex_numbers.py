"""Complex numbers as (real, imaginary) pairs on the last axis, as in the Fourier transforms."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from opperf.core.checking.tolerance import CANCELING_TERMS
from opperf.core.tensors.tensor import WIDE, Tensor
from opperf.declaring.declaration import Declaration
from opperf.declaring.elementwise import SHAPES
from opperf.operators.fft.fft import PAIR

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape
    from opperf.declaring.elementwise import Sizes


def polar(size: Array, angle: Array) -> Array:
    """Return abs * (cos(angle), sin(angle))."""
    return np.stack((size * np.cos(angle), size * np.sin(angle)), axis=-1)


def polar_gradient(cotangents: Sequence[Array], size: Array, angle: Array) -> tuple[Array, Array]:
    """Return the cotangent's components along the number and across it."""
    real, imaginary = cotangents[0][..., 0], cotangents[0][..., 1]
    along = real * np.cos(angle) + imaginary * np.sin(angle)
    across = imaginary * np.cos(angle) - real * np.sin(angle)
    return along, size * across


def angle_of(data: Array) -> Array:
    """atan2(imaginary, real)."""
    return np.arctan2(data[..., 1], data[..., 0])


def angle_gradient(cotangents: Sequence[Array], data: Array) -> tuple[Array]:
    """Return cotangent * (-imaginary, real) / abs^2."""
    scale = cotangents[0] / (data * data).sum(axis=-1)
    return (np.stack((-data[..., 1] * scale, data[..., 0] * scale), axis=-1),)


def unit(data: Array) -> Array:
    """Return z / |z|."""
    return data / size_of(data)


def size_of(data: Array) -> Array:
    """|z|, broadcasting over both parts."""
    return np.sqrt((data * data).sum(axis=-1, keepdims=True))


def unit_gradient(cotangents: Sequence[Array], data: Array) -> tuple[Array]:
    """Remove the cotangent's component along z, and divide by |z|."""
    found = unit(data)
    along = (cotangents[0] * found).sum(axis=-1, keepdims=True)
    return ((cotangents[0] - along * found) / size_of(data),)


def off_zero(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
    """Draw numbers of absolute values from 1/2 to 2 and angles away from the jump at pi."""
    del low, high  # sizes and angles are what counts
    sizes, angles = random.uniform(0.5, 2, shape[:-1]), random.uniform(-3, 3, shape[:-1])
    return polar(sizes, angles)


class Polar(Declaration):
    """abs * (cos(angle), sin(angle)), as a complex number."""

    tensors = {"size": Tensor(low=0.5, high=2), "angle": Tensor(low=-3, high=3)}
    sizes = {size: {"size": shape, "angle": shape} for size, shape in SHAPES.items()}
    dtypes = WIDE
    reference = polar
    gradient = polar_gradient
    gradient_tolerance = CANCELING_TERMS
    flops_per_element = 2  # a sine, a cosine and two products

    def outputs(self) -> tuple[Shape, ...]:
        """Return one pair per element."""
        shape = self.inputs["size"]
        self.require(self.inputs["angle"] == shape, "angle", f"must be {shape}, as size is")
        return ((*shape, PAIR),)


class ComplexOperator(Declaration, abstract=True):
    """An operator on complex numbers away from zero."""

    tensors = {"data": Tensor(initializer=off_zero)}
    sizes: ClassVar[Sizes] = {size: {"data": (*shape, PAIR)} for size, shape in SHAPES.items()}
    dtypes = WIDE

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        shape: Shape = self.inputs["data"]
        self.require_least_rank("data", 2)
        self.require(shape[-1] == PAIR, "data", "must have pairs on the last axis")
        return (shape,)


class Angle(ComplexOperator):
    """atan2(imaginary, real) of each complex number."""

    reference = angle_of
    gradient = angle_gradient
    flops_per_element = 1  # an arc tangent a number

    def outputs(self) -> tuple[Shape, ...]:
        """Return one angle per pair."""
        return (super().outputs()[0][:-1],)


class Sgn(ComplexOperator):
    """z / |z| of each complex number; for real numbers that is Sign."""

    reference = unit
    gradient = unit_gradient
    gradient_tolerance = CANCELING_TERMS
    flops_per_element = 3  # two squares, a sum, a root and two quotients a number
