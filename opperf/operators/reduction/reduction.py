"""Reductions along one axis."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS, ROUNDED_STEPS
from opperf.core.tensors.tensor import DTYPES, FLOATS, Tensor
from opperf.declaring.declaration import Declaration
from opperf.declaring.elementwise import PRODUCT_SIZES, SHAPES
from opperf.declaring.ties import TieSensitive, find_ties

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from opperf.core.tensors.tensor import Array, Shape
    from opperf.declaring.elementwise import Sizes


class Reduction(Declaration, abstract=True):
    """One operation per element, along `axis`.

    Sizes are those of element-wise operators; skewed leaves ten elements to each sum, so that a
    framework's cost per row shows.
    """

    tensors = {"data": Tensor()}
    attributes = {"axis": 1}
    sizes: ClassVar[Sizes] = {size: {"data": shape} for size, shape in SHAPES.items()}

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shape without the reduced axis."""
        shape, axis = self.inputs["data"], self.inputs["axis"]
        rank = len(shape)
        self.require(-rank <= axis < rank, "axis", f"data has {rank} dimensions")
        axis %= rank
        return ((*shape[:axis], *shape[axis + 1 :]),)

    def flop_count(self) -> int:
        """Return one operation per element of the input."""
        return prod(self.inputs["data"])


def broadcast_back(cotangent: Array, axis: int, data: Array) -> Array:
    """Broadcast one value per row over the reduced axis."""
    return np.broadcast_to(np.expand_dims(cotangent, axis), data.shape)


def total(data: Array, *, axis: int) -> Array:
    """Sum along an axis."""
    result: Array = np.sum(data, axis=axis)
    return result


def total_gradient(cotangents: Sequence[Array], data: Array, *, axis: int) -> tuple[Array]:
    """Broadcast the cotangent along the axis."""
    return (broadcast_back(cotangents[0], axis, data),)


class Sum(Reduction):
    """sum(data) along an axis.

    int8 is left out: a framework may keep it as the dtype of the sums, which then overflow.
    """

    reference = total
    gradient = total_gradient
    dtypes = (*FLOATS, "int64", "int32")
    tags: ClassVar[tuple[str, ...]] = ("core",)
    tolerance = CANCELING_SUMS


def mean(data: Array, *, axis: int) -> Array:
    """Average along an axis."""
    result: Array = np.mean(data, axis=axis)
    return result


def mean_gradient(cotangents: Sequence[Array], data: Array, *, axis: int) -> tuple[Array]:
    """Return cotangent / n, broadcast along the axis."""
    return (broadcast_back(cotangents[0], axis, data) / data.shape[axis],)


class Mean(Reduction):
    """mean(data) along an axis."""

    reference = mean
    gradient = mean_gradient
    tags = ("core",)
    tolerance = CANCELING_SUMS


def product(data: Array, *, axis: int) -> Array:
    """Multiply along an axis."""
    result: Array = np.prod(data, axis=axis)
    return result


def product_gradient(cotangents: Sequence[Array], data: Array, *, axis: int) -> tuple[Array]:
    """Return cotangent * product / element."""
    return (broadcast_back(cotangents[0] * product(data, axis=axis), axis, data) / data,)


class Prod(Reduction):
    """prod(data) along an axis, with factors near 1.

    Typical is the light that passes NeRF's 64 coarse samples of each of 16384 rays. Longer rows
    lose too much in float16, where every multiplication is rounded, and any do in bfloat16.
    """

    sizes = PRODUCT_SIZES
    tensors = {"data": Tensor(low=0.95, high=1.05)}
    dtypes = ("float64", "float32", "float16")
    reference = product
    gradient = product_gradient
    tolerance = gradient_tolerance = ROUNDED_STEPS


def norm(data: Array, *, axis: int) -> Array:
    """sqrt(sum(data^2)) along an axis."""
    result: Array = np.sqrt(np.sum(data * data, axis=axis))
    return result


def norm_gradient(cotangents: Sequence[Array], data: Array, *, axis: int) -> tuple[Array]:
    """Return cotangent * data / norm."""
    return (data * broadcast_back(cotangents[0] / norm(data, axis=axis), axis, data),)


class Norm(Reduction):
    """sqrt(sum(data^2)) along an axis."""

    reference = norm
    gradient = norm_gradient
    tolerance = gradient_tolerance = ROUNDED_STEPS

    def flop_count(self) -> int:
        """Return a multiplication and an addition per element."""
        return 2 * prod(self.inputs["data"])


class Extremum(TieSensitive, Reduction, abstract=True):
    """A selection of one element per row; equal ones, as in half precision, have no gradient.

    Frameworks differ there: one passes the gradient to each of the equal elements, another divides
    it.
    """

    dtypes: ClassVar[tuple[str, ...]] = DTYPES

    def ties(self, arrays: Sequence[Array]) -> Array:
        """Return where another element equals the selected one."""
        axis = self.inputs["axis"]
        chosen: Array = arrays[0] == np.expand_dims(self.evaluate(arrays)[0], axis)
        return chosen & find_ties(arrays[0], axis)


def choice_gradient(choose: Callable[..., Array]) -> Callable[..., tuple[Array]]:
    """Return the gradient of an extremum, whose position `choose` returns."""

    def gradient(cotangents: Sequence[Array], data: Array, *, axis: int) -> tuple[Array]:
        found = np.zeros_like(data)
        at = np.expand_dims(choose(data, axis=axis), axis)
        np.put_along_axis(found, at, np.expand_dims(cotangents[0], axis), axis)
        return (found,)

    return gradient


def maximum(data: Array, *, axis: int) -> Array:
    """Return the maximum along an axis."""
    result: Array = np.max(data, axis=axis)
    return result


class Max(Extremum):
    """max(data) along an axis."""

    reference = maximum
    gradient = choice_gradient(np.argmax)


def minimum(data: Array, *, axis: int) -> Array:
    """Return the minimum along an axis."""
    result: Array = np.min(data, axis=axis)
    return result


class Min(Extremum):
    """min(data) along an axis."""

    reference = minimum
    gradient = choice_gradient(np.argmin)
