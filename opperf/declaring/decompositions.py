"""Base classes of matrix decompositions, whose results are right up to signs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.checking.correctness import compare_all
from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.declaring.declaration import Declaration

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.checking.check import Check
    from opperf.core.checking.correctness import Comparison
    from opperf.core.checking.tolerance import Bound
    from opperf.core.tensors.tensor import Array

SURE_ROWS = 8
"""Up to this many values lie far enough apart."""


class Decomposition(Declaration, abstract=True):
    """A decomposition with several right results, checked by properties that hold of all."""

    tolerance = CANCELING_SUMS.with_atol("products of rows and columns of many sizes", float32=1e-4)
    unseen_elements = "products of the vectors are compared, to which a small element adds little"

    def properties(
        self, outputs: Sequence[Array], expected: Sequence[Array], data: Array
    ) -> dict[str, tuple[Array, Array]]:
        """Return pairs of (actual, expected) arrays by the property's name."""
        raise NotImplementedError

    def check_outputs(self, check: Check[Sequence[Array]]) -> Comparison:
        """Compare the properties of the outputs, once their shapes are right."""
        if [array.shape for array in check.actual] != [array.shape for array in check.expected]:
            return super().check_outputs(check)
        outputs = [array.astype(float) for array in check.actual]
        pairs = self.properties(outputs, check.expected, check.arrays[0])
        found, right = ({name: pair[at] for name, pair in pairs.items()} for at in (0, 1))
        return compare_all(found, right, self.tolerance.bound(self.dtype))


class CloseValues(Declaration, abstract=True):
    """An operator whose gradient is worse conditioned the more values lie close together."""

    def gradient_bound(self) -> Bound:
        """Return the bound, widened for many rows.

        Rounding mixes the vectors of neighboring values in inverse proportion to their distance
        (Wedin 1972), about 1 / rows.
        """
        return super().gradient_bound().widened(max(1, self.inputs["data"][0] / SURE_ROWS))
