"""Conversion from one dtype to another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.correctness import compare_all, named_outputs, tolerance_for
from opperf.core.errors import unknown
from opperf.core.tensor import DTYPES, round_to
from opperf.operators.elementwise import Unary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.correctness import Comparison
    from opperf.core.tensor import Array, Shape


def cast(data: Array, *, to: str) -> Array:
    """Return the values as the other dtype holds them."""
    return round_to(data, to)


class Cast(Unary):
    """The elements converted to the dtype `to`, in a new tensor even where that changes nothing.

    The default widens, which is exact from every dtype; inputs={"to": "float16"} is what mixed
    precision does. The backward is a cast too, the other way: measure it as one.
    """

    attributes = {"to": "float64"}
    reference = staticmethod(cast)
    dtypes = DTYPES
    differentiable = False
    tags = ("core",)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        to = self.inputs["to"]
        self.require(to in DTYPES, "to", unknown("dtype", to, DTYPES, " to cast to"))
        return super().outputs()

    def flop_count(self) -> int:
        """Return none: a conversion is no arithmetic."""
        return 0

    def output_dtypes(self) -> tuple[str, ...]:
        """Return the other dtype."""
        return (self.inputs["to"],)

    def compare_outputs(self, actual: Sequence[Array], expected: Sequence[Array]) -> Comparison:
        """Compare as closely as the dtype of the output allows, not that of the input."""
        tolerance = tolerance_for(self.inputs["to"])
        return compare_all(named_outputs(actual), named_outputs(expected), tolerance)
