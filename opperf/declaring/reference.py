"""The reference of a declaration, and how a framework's numbers are compared with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from opperf.core.checking.correctness import compare_all, named_outputs
from opperf.core.checking.tolerance import RELATIVE
from opperf.declaring.counts import Counts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from opperf.core.checking.check import Check
    from opperf.core.checking.correctness import Comparison
    from opperf.core.checking.tolerance import Bound, Tolerance
    from opperf.core.tensors.tensor import Array

FUNCTIONS = ("reference", "training_reference", "gradient", "drawn_gradient")
"""Attributes that are functions of arrays: they are called without an instance."""


class Reference(Counts):
    """What an operator computes: functions of float64 arrays, and tolerances.

    `drawn_gradient` of a random operator takes the outputs of the draw after the cotangents.
    Elements are compared one by one, relative to their size; an operator that loses digits states
    another `tolerance` of its outputs or `gradient_tolerance`, with the reason, and in
    `unseen_elements` why its outputs can only be checked as a whole.
    """

    reference: ClassVar[Callable[..., Any]]
    training_reference: ClassVar[Callable[..., Any] | None] = None
    gradient: ClassVar[Callable[..., Sequence[Array]] | None] = None
    drawn_gradient: ClassVar[Callable[..., Sequence[Array]] | None] = None
    tolerance: ClassVar[Tolerance] = RELATIVE
    gradient_tolerance: ClassVar[Tolerance] = RELATIVE
    unseen_elements: ClassVar[str] = ""

    def __init_subclass__(cls) -> None:
        """Let functions of arrays be called without an instance."""
        super().__init_subclass__()
        for name in FUNCTIONS:
            function = vars(cls).get(name)
            if callable(function) and not isinstance(function, staticmethod):
                setattr(cls, name, staticmethod(function))

    @property
    def keywords(self) -> dict[str, Any]:
        """The arguments that are not tensors."""
        raise NotImplementedError

    def evaluate(self, arrays: Sequence[Array], *, training: bool = False) -> list[Array]:
        """Return the reference's outputs, in the precision of the arrays."""
        reference = (training and self.training_reference) or self.reference
        outputs = reference(*arrays, **self.keywords)
        return [np.asarray(o) for o in (outputs if isinstance(outputs, tuple) else (outputs,))]

    def compare_outputs(self, actual: Sequence[Array], expected: Sequence[Array]) -> Comparison:
        """Compare a framework's outputs with the reference's; casts override this."""
        bound = self.tolerance.bound(self.dtype)
        return compare_all(named_outputs(actual), named_outputs(expected), bound)

    def check_outputs(self, check: Check[Sequence[Array]]) -> Comparison:
        """Compare the outputs, given the inputs and the mode.

        Operators with several right answers override this: positions of equal elements, dropout.
        """
        return self.compare_outputs(check.actual, check.expected)

    def check_gradients(self, check: Check[Mapping[str, Array]]) -> Comparison:
        """Compare the gradients by each input; `outputs` are those of the same random draw."""
        return compare_all(check.actual, check.expected, check.bound)

    def gradient_bound(self) -> Bound:
        """Return the error bound of the gradients for these inputs."""
        return self.gradient_tolerance.bound(self.dtype)
