"""Whether a model computes what it may be timed for: its golden outputs, or finite numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from opperf.core.checking.correctness import Comparison
from opperf.core.results.outcome import Outcome
from opperf.measuring.step import RIGHT, Checks
from opperf.specs.measuring.arrays import golden_arrays
from opperf.specs.measuring.golden import GoldenOutputs
from opperf.specs.measuring.metrics import error_metrics

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.frameworks.workload import Work
    from opperf.core.tensors.tensor import Array
    from opperf.core.timing.measure import Samples
    from opperf.core.timing.metric import Metric
    from opperf.specs.measuring.opening import Inference
    from opperf.specs.measuring.task import SpecTask

GOLDEN, FINITE = "golden outputs", "none: outputs are finite"


def checks_of(task: SpecTask, inference: Inference) -> SpecChecks:
    """Return how a test's outputs are checked.

    Raises:
        UsageError: a golden output cannot be read.
    """
    golden = None
    if task.golden:
        arrays = golden_arrays(task.golden)
        golden = GoldenOutputs(arrays, task.rtol, task.atol, inference.names)
    return SpecChecks(inference=inference, golden=golden)


@dataclass(kw_only=True)
class SpecChecks(Checks):
    """Looks at the outputs of an inference before the samples, and of one after them."""

    inference: Inference
    golden: GoldenOutputs | None
    comparison: Comparison = field(default_factory=Comparison, init=False)

    def compare(self, work: Work) -> Outcome:
        """Judge the outputs of an inference."""
        del work
        self.comparison = found = self.judge()
        return Outcome(
            status="wrong_result" if found.fault else RIGHT,
            reason=found.fault,
            comparison=found if self.golden else None,
            reference=GOLDEN if self.golden else FINITE,
            metrics=self.errors(),
        )

    def judge(self) -> Comparison:
        """Make an inference and compare its outputs with golden ones, or with finite numbers."""
        outputs = self.inference.outputs()
        if self.golden is None:
            return compare_finite(outputs)
        found = self.golden.compare(outputs)
        return found if found.fault else found.worst(compare_finite(self.golden.others(outputs)))

    def errors(self) -> Sequence[Metric]:
        """Return the errors; none without golden outputs, or where shapes or types differ."""
        compared = self.golden is not None and (
            self.comparison.fault is None or self.comparison.max_abs_error > 0
        )
        return [*error_metrics(self.comparison)] if compared else []

    def compare_again(self) -> str | None:
        """Return what is wrong with an inference after the samples."""
        again = self.judge()
        self.comparison = self.comparison.worst(again)
        return again.fault

    def probe(self, work: Work, samples: Samples) -> Sequence[Metric]:
        """Return the errors beside the times."""
        del work, samples
        return self.errors()


def compare_finite(outputs: Sequence[Array]) -> Comparison:
    """Return whether all values of outputs are finite."""
    wrong = sum(int((~np.isfinite(one)).sum()) for one in outputs if one.dtype.kind in "fc")
    total = sum(one.size for one in outputs)
    return Comparison(fault=f"{wrong} of {total} outputs are NaN or infinite" if wrong else None)
