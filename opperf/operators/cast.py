"""Type conversion and copies."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from opperf.core.checking.correctness import compare_all, named_outputs
from opperf.core.checking.tolerance import EXACT
from opperf.core.errors import unknown
from opperf.core.tensors.tensor import DTYPES, Tensor, round_to
from opperf.declaring.elementwise import SHAPES, Binary, Unary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.checking.correctness import Comparison
    from opperf.core.tensors.tensor import Array, Shape


def cast(data: Array, *, to: str) -> Array:
    """Return data as the other dtype holds it."""
    return round_to(data, to)


class Cast(Unary):
    """data converted to the dtype `to`, always into a new tensor.

    The default widens, which is exact from every dtype; inputs={"to": "float16"} is what mixed
    precision does. The backward is a cast too, the other way: measure it as one.
    """

    attributes = {"to": "float64"}
    reference = cast
    dtypes: ClassVar[tuple[str, ...]] = DTYPES
    differentiable = False
    tags = ("core",)
    flops_per_element = 0  # a conversion is no arithmetic

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        to = self.inputs["to"]
        self.require(to in DTYPES, "to", unknown("dtype", to, DTYPES, " to cast to"))
        return super().outputs()

    def output_dtypes(self) -> tuple[str, ...]:
        """Return the dtype `to`."""
        return (self.inputs["to"],)

    def compare_outputs(self, actual: Sequence[Array], expected: Sequence[Array]) -> Comparison:
        """Compare to the precision of the output's dtype, not the input's."""
        bound = self.tolerance.bound(self.inputs["to"])
        return compare_all(named_outputs(actual), named_outputs(expected), bound)


def identity_gradient(cotangents: Sequence[Array], data: Array) -> tuple[Array]:
    """Return the cotangent."""
    del data  # its derivative is one
    return (cotangents[0],)


def copy_source(target: Array, source: Array) -> Array:
    """Return a copy of source."""
    del target  # overwritten
    return source.copy()


class Identity(Unary):
    """A copy of data."""

    reference = np.copy
    gradient = identity_gradient
    dtypes = DTYPES
    flops_per_element = 0  # a copy is no arithmetic


class Copy(Binary):
    """target = source, in place."""

    tensors = {"target": Tensor(mutated=True), "source": Tensor()}
    sizes = {size: {"target": shape, "source": shape} for size, shape in SHAPES.items()}
    unread = {"target": "overwritten"}
    reference = copy_source
    dtypes = DTYPES
    differentiable = False
    flops_per_element = 0  # a copy is no arithmetic

    def outputs(self) -> tuple[Shape, ...]:
        """Return the shape of both tensors."""
        shape = self.inputs["target"]
        self.require(self.inputs["source"] == shape, "source", f"must be {shape}, as target is")
        return (shape,)


class AmpCast(Cast):
    """data converted for mixed precision; integers stay as they are."""

    attributes = {"to": "float16"}
    dtypes = ("float32",)

    def compare_outputs(self, actual: Sequence[Array], expected: Sequence[Array]) -> Comparison:
        """Compare exactly: there is one nearest value."""
        return compare_all(named_outputs(actual), named_outputs(expected), EXACT)
