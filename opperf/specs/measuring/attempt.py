"""A specification's test on its framework: loaded, compared, timed, and profiled by operator."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from opperf.core.configuration.settings import LAID_OUT, MINIMUM_SAMPLES
from opperf.core.environment import collect
from opperf.core.frameworks.failure import classify_model
from opperf.core.results import record
from opperf.core.results.outcome import Outcome
from opperf.core.timing.measure import time_first_call
from opperf.measuring.step import RIGHT, measure_work
from opperf.specs.measuring.arrays import save_arrays_in
from opperf.specs.measuring.checks import checks_of
from opperf.specs.measuring.metrics import operator_metrics, throughput
from opperf.specs.measuring.opening import open_inference

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from opperf.core.frameworks.framework import Framework
    from opperf.core.frameworks.variant import Variant
    from opperf.planning.task import Row
    from opperf.specs.measuring.opening import Inference
    from opperf.specs.measuring.task import SpecTask

PATIENCE = 4
"""Of the time that is expected for what comes next, how much may pass."""


@dataclass
class SpecAttempt:
    """A test; `tell` says that it lives, and how many seconds what comes next takes."""

    task: SpecTask
    framework: Framework
    tell: Callable[[float], None] = lambda _seconds: None

    def compiles(self, variant: Variant) -> bool:
        """Return that no compiler is needed."""
        del variant
        return False

    def prefetch(self, rows: Sequence[Row]) -> None:
        """Load nothing in advance: two models at once may not fit into memory."""

    def records(
        self, rows: Sequence[Row], announce: Callable[[Variant, str], None]
    ) -> Iterator[dict[str, Any]]:
        """Yield the record of each row as JSON; `announce` is told of it as it begins."""
        task, framework = self.task, self.framework
        framework.load(task.settings.threads)
        framework.device(task.device)
        environment = collect(framework.facts())
        for variant, direction in rows:
            announce(variant, direction)
            started_at = record.now()
            outcome = self.outcome()
            yield record.assemble(
                task.describe(variant), direction, outcome, environment, started_at
            )

    def outcome(self) -> Outcome:
        """Compare and measure the model; whatever is raised becomes its status."""
        try:
            self.framework.seed(self.task.settings.seed)
            inference = open_inference(self.task, self.framework)
            self.tell(0.0)
            return self.measure(inference)
        except Exception as error:  # noqa: BLE001 - whatever a framework or a model raises
            self.framework.discard_errors()
            status, reason = classify_model(error, self.framework, self.task.dtype)
            return Outcome(status=status, reason=reason)

    def measure(self, inference: Inference) -> Outcome:
        """Compare the outputs, then time the net, and at last its operators."""
        task, settings = self.task, self.task.settings
        work = inference.work()
        began = time_first_call(work)
        self.tell(PATIENCE * self.expected(began))
        outcome = measure_work(
            work, settings, checks_of(task, inference), fill_holes=settings.process == LAID_OUT,
            check_only=task.check_only,
        )  # fmt: skip
        if task.save is not None and outcome.status == RIGHT:
            save_arrays_in(Path(task.save), inference.outputs(), inference.names)
        if outcome.samples is None or outcome.summary is None:
            return outcome
        metrics = [*throughput(outcome, task.batch), *outcome.metrics]
        if task.profile:
            self.tell(PATIENCE * (1 + MINIMUM_SAMPLES * outcome.summary.median))
            with self.framework.inference():
                metrics += operator_metrics(self.framework, inference.step, outcome.summary.median)
        samples = replace(outcome.samples, first_call=began)
        return replace(outcome, samples=samples, metrics=metrics)

    def expected(self, step: float) -> float:
        """Return about the seconds that checks, warm-up and samples take."""
        settings = self.task.settings
        steps = (settings.runs or MINIMUM_SAMPLES) + (settings.warmup or 0) + 2 * MINIMUM_SAMPLES
        return steps * step + settings.budget
