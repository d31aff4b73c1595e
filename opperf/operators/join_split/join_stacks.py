"""Stacking along the first, second and third axis under NumPy's names.

Skewed joins thin columns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.elementwise import SHAPES
from opperf.declaring.moving import gather_gradient
from opperf.operators.expand.broadcast import GRIDS
from opperf.operators.join_split.join_split import Joint

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from opperf.core.tensors.tensor import Array, Shape


def as_binary(call: Callable[..., Any]) -> Any:
    """Return NumPy's function of a sequence as a function of two arrays."""

    def join(lhs: Array, rhs: Array) -> Array:
        result: Array = call((lhs, rhs))
        return result

    join.__doc__ = f"Return numpy.{call.__name__} of both."
    return join


class StackedPair(Joint, abstract=True):
    """An operator that joins two matrices of equal shape."""

    tensors = {"lhs": Tensor(), "rhs": Tensor()}
    sizes: ClassVar[Mapping[str, Mapping[str, object]]] = {
        size: {"lhs": shape, "rhs": shape} for size, shape in SHAPES.items()
    }

    def matrix(self) -> tuple[int, int]:
        """Return the common shape of the two matrices."""
        self.require_rank("lhs", 2)
        shape = self.inputs["lhs"]
        self.require(self.inputs["rhs"] == shape, "rhs", f"must be {shape}, as lhs is")
        rows, columns = shape
        return rows, columns


class HStack(StackedPair):
    """Two matrices concatenated along the second axis."""

    reference = as_binary(np.hstack)
    gradient = gather_gradient(reference)

    def outputs(self) -> tuple[Shape, ...]:
        """Return twice the columns."""
        rows, columns = self.matrix()
        return ((rows, 2 * columns),)


class VStack(StackedPair):
    """Two matrices concatenated along the first axis."""

    reference = as_binary(np.vstack)
    gradient = gather_gradient(reference)

    def outputs(self) -> tuple[Shape, ...]:
        """Return twice the rows."""
        rows, columns = self.matrix()
        return ((2 * rows, columns),)


class DStack(StackedPair):
    """Two matrices stacked along a new third axis."""

    reference = as_binary(np.dstack)
    gradient = gather_gradient(reference)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shape with a third axis of length two."""
        return ((*self.matrix(), 2),)


class ColumnStack(StackedPair):
    """Two vectors stacked as the columns of a matrix."""

    sizes = {
        size: {"lhs": shape, "rhs": shape}
        for size, shape in {
            "small": (4096,),
            "typical": (1048576,),
            "large": (16777216,),
            "skewed": (10007,),
        }.items()
    }
    reference = as_binary(np.column_stack)
    gradient = gather_gradient(reference)

    def outputs(self) -> tuple[Shape, ...]:
        """Return two columns."""
        self.require_rank("lhs", 1)
        shape = self.inputs["lhs"]
        self.require(self.inputs["rhs"] == shape, "rhs", f"must be {shape}, as lhs is")
        return ((*shape, 2),)


def block_diag(lhs: Array, rhs: Array) -> Array:
    """Return the block diagonal matrix of two matrices."""
    result = np.zeros(np.add(lhs.shape, rhs.shape), lhs.dtype)
    result[: len(lhs), : lhs.shape[1]] = lhs
    result[len(lhs) :, lhs.shape[1] :] = rhs
    return result


class BlockDiag(Joint):
    """The block diagonal matrix of two matrices."""

    tensors = {"lhs": Tensor(), "rhs": Tensor()}
    sizes = {size: {"lhs": shape, "rhs": shape} for size, shape in SHAPES.items()} | {
        "large": {"lhs": (2048, 2048), "rhs": (2048, 2048)},
        "skewed": {"lhs": (1000, 3), "rhs": (3, 1000)},
    }
    reference = block_diag
    gradient = gather_gradient(block_diag)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the sums of the dimensions."""
        self.require_rank("lhs", 2)
        self.require_rank("rhs", 2)
        (rows, columns), (more, wider) = self.inputs["lhs"], self.inputs["rhs"]
        return ((rows + more, columns + wider),)


def cartesian_product(lhs: Array, rhs: Array) -> Array:
    """Return all pairs (lhs[i], rhs[j]), one row each."""
    first, second = np.meshgrid(lhs, rhs, indexing="ij")
    return np.stack((first.ravel(), second.ravel()), -1)


class CartesianProduct(Joint):
    """All pairs (lhs[i], rhs[j]), one row each."""

    tensors = {"lhs": Tensor(), "rhs": Tensor()}
    sizes = GRIDS
    reference = cartesian_product
    gradient = gather_gradient(cartesian_product)
    gradient_tolerance = CANCELING_SUMS.because("the copies of an element add up")

    def outputs(self) -> tuple[Shape, ...]:
        """Return one row of two per pair."""
        self.require_rank("lhs", 1)
        self.require_rank("rhs", 1)
        return ((self.inputs["lhs"][0] * self.inputs["rhs"][0], 2),)
