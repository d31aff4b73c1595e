"""The ways in which each framework moves memory and multiplies, as fast as it can."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from opperf.core.frameworks.implementation import resolve

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from opperf.core.frameworks.device import Step
    from opperf.core.frameworks.framework import Framework


def all_of(call: Callable[..., Any], tensors: Sequence[Any]) -> Step:
    """Bind all tensors in their order."""
    return partial(call, *tensors)


def into_last(call: Callable[..., Any], tensors: Sequence[Any]) -> Step:
    """Bind the last tensor as the one to write to: nothing is allocated."""
    return partial(call, *tensors[:-1], out=tensors[-1])


def by_one(call: Callable[..., Any], tensors: Sequence[Any]) -> Step:
    """Bind a number that changes no value."""
    return partial(call, *tensors, 1.0)


@dataclass(frozen=True)
class Way:
    """A callable by its dotted name, and how many tensors it moves.

    `kind` is copy, add, read, in_place or product; `traffic` how many tensors an operator of this
    kind counts as its traffic, `held` how many there are.
    """

    kind: str
    name: str
    traffic: int
    held: int
    bind: Callable[[Callable[..., Any], Sequence[Any]], Step] = all_of


MOVES = {
    "numpy": (Way("copy", "numpy.copyto", 2, 2),),
    "pytorch": (
        Way("copy", "torch.Tensor.copy_", 2, 2),
        Way("add", "torch.add", 3, 3, into_last),
        Way("read", "torch.dot", 2, 2),
        Way("in_place", "torch.Tensor.mul_", 2, 1, by_one),
    ),
}
PRODUCTS = {
    "numpy": (Way("product", "numpy.matmul", 3, 3, into_last), ("float64", "float32")),
    "pytorch": (
        Way("product", "torch.mm", 3, 3, into_last),
        ("float64", "float32", "bfloat16", "float16"),
    ),
    "mxnet": (Way("product", "mxnet.nd.dot", 3, 3, into_last), ("float64", "float32")),
}
"""What a framework that is not listed here can do is bounded by those that are."""


def bind(
    way: Way, framework: Framework, shape: tuple[int, ...], dtype: str, device: str
) -> Callable[[], object]:
    """Return the way's step on tensors of ones.

    Ones stay what they are under multiplication by one, and no page of theirs is shared, as those
    of zeros may be.
    """
    array = np.ones(shape, "float64" if dtype == "float64" else "float32")
    if framework.name == "numpy":
        array = array.astype(dtype)
    tensors = [
        framework.tensor(array, dtype, device, differentiable=False) for _ in range(way.held)
    ]
    return way.bind(resolve(way.name), tensors)
