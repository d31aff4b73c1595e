"""Probes of what a framework costs around next to no work: one element, or a loop of small steps.

What is left of their times on one element is the price of a call, of recording it for a backward
(forward_recorded less forward), of the backward itself, and of handing a number to Python.
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
"""There is no larger job than one element: the sizes are its ranks."""


class OneElementCopy(Unary):
    """A copy of one element: as near to a call that does nothing as both frameworks have."""

    sizes = {size: {"data": shape} for size, shape in ONE_ELEMENT.items()}
    reference = np.copy
    flops_per_element = 0  # a copy is no arithmetic


class OneElementAdd(Binary):
    """The sum of two tensors of one element: forward, recorded and backward."""

    sizes = {size: {"lhs": shape, "rhs": shape} for size, shape in ONE_ELEMENT.items()}
    reference = np.add


class ReadScalar(Unary):
    """One element handed to Python as a number, which awaits all that is under way."""

    sizes = {size: {"data": shape} for size, shape in ONE_ELEMENT.items()}
    reference = np.copy
    differentiable = False
    flops_per_element = 0  # nothing is computed


class CompileGuard(Binary):
    """The sum of one element behind torch.compile, which checks its guards and compiles nothing.

    Its backend is "eager": what is added to OneElementAdd is the price of the guards.
    """

    sizes = {size: {"lhs": shape, "rhs": shape} for size, shape in ONE_ELEMENT.items()}
    reference = np.add
    dtypes = ("float32",)


MOST = 64


def running_total(data: Array) -> Array:
    """Return the sum of all rows so far."""
    return np.cumsum(data, axis=0)


def running_total_gradient(cotangents: Sequence[Array], data: Array) -> tuple[Array]:
    """Add up backwards: a row is in its own sum and in all later ones."""
    del data  # a sum has one derivative everywhere
    return (np.flip(np.cumsum(np.flip(cotangents[0], 0), axis=0), 0),)


def doubled(data: Array, *, times: int) -> Array:
    """Return the data doubled so many times."""
    return data * 2.0**times


def doubled_gradient(cotangents: Sequence[Array], data: Array, *, times: int) -> tuple[Array]:
    """Double the gradient as often."""
    del data  # likewise
    return (cotangents[0] * 2.0**times,)


class Looping(Declaration, abstract=True):
    """A loop in Python, of which MXNet's own face has one, and PyTorch needs none."""

    tensors = {"data": Tensor()}
    dtypes = WIDE

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        return (self.inputs["data"],)


class Foreach(Looping):
    """The sum of all rows so far, a step of the loop a row."""

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


class WhileLoop(Looping):
    """The data doubled as often as `times` says, while a counter of one element has not ended."""

    attributes = {"times": 16}
    sizes = {
        "small": {"data": (64,), "times": 4},
        "typical": {"data": (512,)},
        "large": {"data": (65536,)},
        "skewed": {"data": (3,), "times": 32},
    }
    reference = doubled
    gradient = doubled_gradient

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        self.require(1 <= self.inputs["times"] <= MOST, "times", f"must lie in [1, {MOST}]")
        return super().outputs()

    def flop_count(self) -> int:
        """Return a product an element and step, and a comparison and a sum a step."""
        return int(self.inputs["times"]) * (prod(self.inputs["data"]) + 1)


def chosen(data: Array, flag: Array) -> Array:
    """Return the data doubled if the flag is set, else squared."""
    return np.where(flag > 0, data * 2, data * data)


def chosen_gradient(cotangents: Sequence[Array], data: Array, flag: Array) -> tuple[Array]:
    """Differentiate the branch that is taken."""
    return (cotangents[0] * np.where(flag > 0, 2, 2 * data),)


class Cond(Declaration):
    """One of two branches, chosen by a tensor of one element."""

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
    reference = chosen
    gradient = chosen_gradient
    dtypes = WIDE
    flops_per_element = 1  # a product

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        self.require(self.inputs["flag"] == (1,), "flag", "must be (1,)")
        return (self.inputs["data"],)
