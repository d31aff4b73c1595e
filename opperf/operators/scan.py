"""Scans: what each element becomes together with all before it."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

from opperf.core.tensor import FLOATS, Tensor
from opperf.operator import Operator
from opperf.operators.accumulation import along_axis, rounded_sums
from opperf.operators.elementwise import SHAPES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensor import Array, Shape


def cumulative_sum(data: Array, *, axis: int) -> Array:
    """Add up the elements along an axis, and keep every intermediate sum."""
    result: Array = np.cumsum(data, axis=axis)
    return result


def cumulative_sum_gradient(seeds: Sequence[Array], data: Array, *, axis: int) -> tuple[Array]:
    """Add up backwards: an element is in its own sum and in all later ones."""
    del data
    return (np.flip(np.cumsum(np.flip(seeds[0], axis), axis=axis), axis),)


class CumSum(Operator):
    """The cumulative sum along an axis.

    Sizes are those of element-wise operators: no longer rows, whose sums MXNet loses in float16.
    int8 is left out, whose sums overflow where a framework keeps it.
    """

    tensors = {"data": Tensor()}
    attributes = {"axis": -1}
    sizes = {size: {"data": shape} for size, shape in SHAPES.items()}
    reference = staticmethod(cumulative_sum)
    gradient = staticmethod(cumulative_sum_gradient)
    dtypes = (*FLOATS, "int64", "int32")
    limitations = (
        rounded_sums("mxnet", "float16", along_axis(1024)),
        rounded_sums("mxnet", "bfloat16", along_axis(16)),
    )

    def outputs(self) -> tuple[Shape, ...]:
        """Return the input's shape."""
        shape, axis = self.inputs["data"], self.inputs["axis"]
        self.require(-len(shape) <= axis < len(shape), "axis", f"data has {len(shape)} dimensions")
        return (shape,)

    def flop_count(self) -> int:
        """Return an addition an element."""
        return prod(self.inputs["data"])
