"""What element-wise categories share: shapes that broadcast, one operation an element."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

from opperf.core.tensor import Tensor
from opperf.operator import Operator

if TYPE_CHECKING:
    from opperf.core.tensor import Shape

SHAPES = {
    "small": (64, 64),
    "typical": (1024, 1024),
    "large": (4096, 4096),
    "skewed": (10000, 10),
}
"""Mostly dispatch; the older package's default; beyond most caches; thin rows."""


class Elementwise(Operator):
    """One floating-point operation per element of the output."""

    elementwise = True

    def outputs(self) -> tuple[Shape, ...]:
        """Return the broadcast shape of the inputs."""
        try:
            return (np.broadcast_shapes(*self.shapes.values()),)
        except ValueError:
            first, *_, last = self.shapes
            rule = f"does not broadcast with {first}={self.inputs[first]}"
            raise self.misfit(last, rule) from None

    def flop_count(self) -> int:
        """Return one operation an element."""
        return prod(self.outputs()[0])


class Unary(Elementwise):
    """An element-wise operator of one tensor."""

    tensors = {"data": Tensor()}
    sizes = {size: {"data": shape} for size, shape in SHAPES.items()}


class Binary(Elementwise):
    """An element-wise operator of two tensors."""

    tensors = {"lhs": Tensor(), "rhs": Tensor()}
    sizes = {size: {"lhs": shape, "rhs": shape} for size, shape in SHAPES.items()}
