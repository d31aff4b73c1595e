"""Reductions along one axis."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

from opperf.core.tensor import DTYPES, Tensor
from opperf.operator import Operator

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensor import Array, Shape


class Reduction(Operator):
    """One operation an element, along `axis`."""

    category = "reduction"
    tensors = {"data": Tensor()}
    attributes = {"axis": 1}
    sizes = {
        "small": {"data": (64, 64)},
        "typical": {"data": (1024, 1024)},
        "large": {"data": (4096, 4096)},
        "skewed": {"data": (10000, 10)},
    }

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shape without the reduced axis."""
        shape, axis = self.inputs["data"], self.inputs["axis"]
        rank = len(shape)
        self.require(-rank <= axis < rank, "axis", f"data has {rank} dimensions")
        axis %= rank
        return ((*shape[:axis], *shape[axis + 1 :]),)

    def flop_count(self) -> int:
        """Return one operation an element of the input."""
        return prod(self.inputs["data"])


def total(data: Array, *, axis: int) -> Array:
    """Add the elements along an axis."""
    result: Array = np.sum(data, axis=axis)
    return result


def total_gradient(seeds: Sequence[Array], data: Array, *, axis: int) -> tuple[Array]:
    """Hand each sum's gradient to all of its terms."""
    return (np.broadcast_to(np.expand_dims(seeds[0], axis), data.shape),)


class Sum(Reduction):
    """The sum along an axis."""

    reference = staticmethod(total)
    gradient = staticmethod(total_gradient)
    dtypes = DTYPES
