"""Comparing what an operator yields with its reference: before it is timed, and once more after."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np

from opperf.core.checking.correctness import Comparison, compare_dtypes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from opperf.core.checking.correctness import Outputs
    from opperf.core.checking.expectation import Expectation
    from opperf.core.frameworks.framework import Framework
    from opperf.core.frameworks.variant import Variant
    from opperf.core.frameworks.workload import Workload
    from opperf.core.tensors.tensor import Array

    Yielded = tuple[Outputs, Mapping[str, Array] | None]


@dataclass
class Verification:
    """Compares each part of an operator's variants (inference, training, gradients) once.

    `compared` holds the first comparison of each, `right` a digest of what was right then.
    `views` tells by variant, of inference (true) and of training, whether outputs are views of
    inputs.
    """

    expectation: Expectation
    framework: Framework
    workload: Callable[[Variant], Workload]
    output_dtypes: Callable[[], Sequence[str]]
    compared: dict[tuple[Variant, str], Comparison] = field(default_factory=dict)
    right: dict[tuple[Variant, str], str] = field(default_factory=dict)
    views: dict[tuple[Variant, bool], bool] = field(default_factory=dict)

    def compare(self, variant: Variant, direction: str) -> Comparison:
        """Compare what this direction yields with the reference, each part of it once."""
        found = Comparison()
        for part in parts_of(direction):
            if not found.fault and (variant, part) not in self.compared:
                yielded = self.results(variant, part)
                self.right[variant, part] = digest_of(yielded)
                self.views[variant, part == "inference"] = yielded[0].are_views
                self.compared[variant, part] = self.judge(part, *yielded)
            if not found.fault:
                found = self.compared[variant, part].worst(found)
        return found

    def note(self, variant: Variant, direction: str) -> None:
        """Take what this direction yields for right, as another process has found."""
        part = parts_of(direction)[-1]
        self.right[variant, part] = digest_of(self.results(variant, part))

    def compare_again(self, variant: Variant, direction: str) -> Comparison:
        """Compare what this direction yields after it was sampled: some turn wrong only then.

        Twice in a row, since one may be wrong in every second call. What is bit for bit what was
        right needs no comparison.
        """
        part, found = parts_of(direction)[-1], Comparison()
        for _ in range(2):
            outputs, gradients = self.results(variant, part)
            same = digest_of((outputs, gradients)) == self.right.get((variant, part))
            if not same and not found.fault:
                found = self.judge(part, outputs, gradients)
                if gradients is not None:
                    found = self.judge("training", outputs, None).worst(found)
        return found

    def results(self, variant: Variant, part: str) -> Yielded:
        """Return the outputs of inference or of training, and the gradients if they are the part.

        A random operator draws the same each time.
        """
        workload, seed = self.workload(variant), self.expectation.seed
        self.framework.seed(seed)
        outputs = workload.outputs(part != "inference")
        if part != "gradients":
            return outputs, None
        self.framework.seed(seed)
        return outputs, workload.gradients()

    def judge(
        self, part: str, outputs: Sequence[Array], gradients: Mapping[str, Array] | None
    ) -> Comparison:
        """Compare outputs, or gradients, with the reference."""
        if gradients is not None:
            return self.expectation.check_gradients(gradients, outputs)
        found = self.expectation.check_outputs(outputs, training=part == "training")
        return found.worst(compare_dtypes(outputs, self.output_dtypes()))


def parts_of(direction: str) -> tuple[str, ...]:
    """Return what a direction yields, each compared by itself."""
    if direction == "forward":
        return ("inference",)
    return ("training", "gradients") if "backward" in direction else ("training",)


def digest_of(results: Yielded) -> str:
    """Return a digest of the dtypes, shapes and values of outputs and gradients."""
    outputs, gradients = results
    made = blake2b(digest_size=16)
    for array in (*outputs, *(gradients or {}).values()):
        made.update(f"{array.dtype} {array.shape} ".encode())
        made.update(np.ascontiguousarray(array).data.cast("B") if array.size else b"")
    return made.hexdigest()
