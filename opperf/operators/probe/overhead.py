"""Probes of a framework's overhead: operators on one element, and loops of small steps.

Their times on one element are the cost of a call, of recording it for a backward (forward_recorded
less forward), of the backward itself, and of passing a number to Python.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import WIDE, Tensor
from opperf.declaring.declaration import Declaration
from opperf.declaring.elementwise import Binary, Unary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape


ONE_ELEMENT = {"small": (1,), "typical": (1, 1), "large": (1, 1, 1), "skewed": (1, 1, 1, 1)}
"""One element is the only size; the ranks differ."""


class OneElementCopy(Unary):
    """A copy of one element: the closest to an empty call."""

    sizes = {size: {"data": shape} for size, shape in ONE_ELEMENT.items()}
    reference = np.copy
    flops_per_element = 0  # a copy is no arithmetic


class OneElementAdd(Binary):
    """lhs + rhs of one element each: forward, recorded and backward."""

    sizes = {size: {"lhs": shape, "rhs": shape} for size, shape in ONE_ELEMENT.items()}
    reference = np.add


class ReadScalar(Unary):
    """One element converted to a Python number, which waits for pending work."""

    sizes = {size: {"data": shape} for size, shape in ONE_ELEMENT.items()}
    reference = np.copy
    differentiable = False
    flops_per_element = 0  # nothing is computed


class CompileGuard(Binary):
    """lhs + rhs of one element in a compiled function whose guards are checked per call.

    Its backend compiles nothing: the difference from OneElementAdd is the cost of the guards.
    """

    sizes = {size: {"lhs": shape, "rhs": shape} for size, shape in ONE_ELEMENT.items()}
    reference = np.add
    dtypes = ("float32",)


MOST = 64


def running_total(data: Array) -> Array:
    """Return the cumulative sum of the rows."""
    return np.cumsum(data, axis=0)


def running_total_gradient(cotangents: Sequence[Array], data: Array) -> tuple[Array]:
    """Return the reversed cumulative sum of the cotangent."""
    del data  # a sum has one derivative everywhere
    return (np.flip(np.cumsum(np.flip(cotangents[0], 0), axis=0), 0),)


def repeat_doubling(data: Array, *, times: int) -> Array:
    """Return data * 2^times."""
    return data * 2.0**times


def repeat_doubling_gradient(
    cotangents: Sequence[Array], data: Array, *, times: int
) -> tuple[Array]:
    """Return cotangent * 2^times."""
    del data  # likewise
    return (cotangents[0] * 2.0**times,)


class Loop(Declaration, abstract=True):
    """A control-flow loop, by a framework's loop operator or by Python."""

    tensors = {"data": Tensor()}
    dtypes = WIDE

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        return (self.inputs["data"],)


class Foreach(Loop):
    """The cumulative sum of the rows, one loop iteration per row."""

    sizes = {
        "small": {"data": (8, 64)},
        "typical": {"data": (64, 512)},
        "large": {"data": (256, 4096)},
        "skewed": {"data": (256, 3)},
    }
    reference = running_total
    gradient = running_total_gradient
    tolerance = gradient_tolerance = CANCELING_SUMS
    flops_per_element = 1  # an addition

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        self.require_least_rank("data", 1)
        return super().outputs()


class WhileLoop(Loop):
    """data * 2^times, doubled in a while loop whose counter is a tensor of one element."""

    attributes = {"times": 16}
    sizes = {
        "small": {"data": (64,), "times": 4},
        "typical": {"data": (512,)},
        "large": {"data": (65536,)},
        "skewed": {"data": (3,), "times": 32},
    }
    reference = repeat_doubling
    gradient = repeat_doubling_gradient

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        self.require(1 <= self.inputs["times"] <= MOST, "times", f"must lie in [1, {MOST}]")
        return super().outputs()

    def flop_count(self) -> int:
        """Return a product per element and iteration, and a comparison and a sum per iteration."""
        return int(self.inputs["times"]) * (prod(self.inputs["data"]) + 1)


def branch(data: Array, flag: Array) -> Array:
    """Return flag ? 2 * data : data^2."""
    return np.where(flag > 0, data * 2, data * data)


def branch_gradient(cotangents: Sequence[Array], data: Array, flag: Array) -> tuple[Array]:
    """Differentiate the selected branch."""
    return (cotangents[0] * np.where(flag > 0, 2, 2 * data),)


class Cond(Declaration):
    """flag ? 2 * data : data^2, branching on a tensor of one element."""

    tensors = {"data": Tensor(), "flag": Tensor(low=1, high=2, differentiable=False)}
    sizes = {
        size: {"data": shape, "flag": (1,)}
        for size, shape in {
            "small": (64,),
            "typical": (512,),
            "large": (65536,),
            "skewed": (3,),
        }.items()
    }
    reference = branch
    gradient = branch_gradient
    dtypes = WIDE
    flops_per_element = 1  # a product

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        self.require(self.inputs["flag"] == (1,), "flag", "must be (1,)")
        return (self.inputs["data"],)
