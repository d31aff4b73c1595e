"""Base classes of element-wise operators."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import DTYPES, Tensor
from opperf.declaring.declaration import Declaration

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from opperf.core.checking.tolerance import Bound
    from opperf.core.tensors.tensor import Array, Shape

    Sizes = Mapping[str, Mapping[str, object]]

SHAPES = {
    "small": (64, 64),
    "typical": (1024, 1024),
    "large": (4096, 4096),
    "skewed": (10000, 10),
}
"""Dominated by dispatch; the older package's default; larger than most caches; short rows."""

PRODUCT_SIZES = {
    **{size: {"data": shape} for size, shape in SHAPES.items()},
    "typical": {"data": (16384, 64)},
    "large": {"data": (262144, 64)},
}
"""Sizes of products along rows: longer ones lose too much in float16, rounded at every step."""
HALF_ZERO = Tensor(low=0)
"""The normal distribution cut off at zero: half the elements are 0, so that two tensors hold equal
elements and both truth values, which continuous values never would."""


def chain(derivative: Callable[..., Array]) -> Any:
    """Return the gradient of a function of one tensor: cotangent * derivative(data)."""

    def gradient(cotangents: Sequence[Array], data: Array, **attributes: object) -> tuple[Array]:
        return (cotangents[0] * derivative(data, **attributes),)

    return gradient


class Elementwise(Declaration, abstract=True):
    """An element-wise operator with broadcasting, one FLOP an element unless stated."""

    elementwise = True
    flops_per_element = 1

    def outputs(self) -> tuple[Shape, ...]:
        """Return the broadcast shape of the inputs; what is in place keeps its own."""
        names = [*self.shapes]
        first, last = names[0], names[-1]
        try:
            shape = np.broadcast_shapes(*self.shapes.values())
        except ValueError:
            rule = f"does not broadcast with {first}={self.inputs[first]}"
            raise self.misfit(last, rule) from None
        for name in (name for name, tensor in self.tensors.items() if tensor.mutated):
            fits = shape == self.inputs[name]
            self.require(fits, last, f"broadcasts beyond {name}, to {shape}")
        return (shape,)

    def gradient_bound(self) -> Bound:
        """Return the bound of a sum where an input is broadcast: its gradient adds up."""
        (output,) = self.outputs()
        repeated = any(shape != output for shape in self.shapes.values())
        return CANCELING_SUMS.bound(self.dtype) if repeated else super().gradient_bound()


class Unary(Elementwise, abstract=True):
    """An element-wise operator of one tensor."""

    tensors = {"data": Tensor()}
    sizes: ClassVar[Sizes] = {size: {"data": shape} for size, shape in SHAPES.items()}


class Binary(Elementwise, abstract=True):
    """An element-wise operator of two tensors."""

    tensors = {"lhs": Tensor(), "rhs": Tensor()}
    sizes = {size: {"lhs": shape, "rhs": shape} for size, shape in SHAPES.items()}


class Predicate(Elementwise, abstract=True):
    """An element-wise operator that returns booleans."""

    dtypes: ClassVar[tuple[str, ...]] = DTYPES
    differentiable = False
    flops_per_element = 0  # comparisons are no floating-point operations

    def output_dtypes(self) -> tuple[str, ...]:
        """Return bool: one byte an element, the least that an answer takes."""
        return ("bool",)
