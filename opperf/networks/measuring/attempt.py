"""A network on its framework, from what was asked for to a record, checked before it is timed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.configuration.settings import LAID_OUT, MINIMUM_SAMPLES
from opperf.core.environment import collect
from opperf.core.frameworks.failure import classify_model
from opperf.core.results import record
from opperf.core.results.outcome import Outcome
from opperf.measuring.step import measure_work
from opperf.networks.description import describe_step
from opperf.networks.measuring.metrics import (
    data_warning,
    loss_metrics,
    phase_metrics,
    phase_samples,
    throughput,
)
from opperf.networks.measuring.opening import open_stepper
from opperf.networks.measuring.sanity import FirstSteps, StepChecks
from opperf.networks.request import request_from

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from opperf.core.configuration.settings import Settings
    from opperf.core.frameworks.framework import Framework
    from opperf.core.frameworks.variant import Variant
    from opperf.networks.data.loader import Batch, Loader
    from opperf.networks.measuring.stepping import Stepper
    from opperf.networks.measuring.task import ModelTask
    from opperf.networks.request import ModelRequest
    from opperf.planning.task import Row

PATIENCE = 4
"""Of the time that is expected for what comes next, how much may pass."""


@dataclass
class ModelAttempt:
    """A network's task; `tell` says that it lives, and how many seconds what comes next takes."""

    task: ModelTask
    framework: Framework
    tell: Callable[[float], None] = lambda _seconds: None

    def compiles(self, variant: Variant) -> bool:
        """Return that no compiler is needed."""
        del variant
        return False

    def prefetch(self, rows: Sequence[Row]) -> None:
        """Draw nothing in advance: two networks at once may not fit into memory."""

    def records(
        self, rows: Sequence[Row], announce: Callable[[Variant, str], None]
    ) -> Iterator[dict[str, Any]]:
        """Yield the record of each row as JSON; `announce` is told of it as it begins."""
        task, framework = self.task, self.framework
        request = request_from(task.request)
        framework.load(task.settings.threads)
        framework.device(task.device)
        for variant, direction in rows:
            announce(variant, direction)
            started_at = record.now()
            outcome = self.outcome(request)
            subject = describe_step(request, task.settings)
            # What the network has switched, such as cuDNN's search, is in these facts.
            environment = collect(framework.facts())
            yield record.assemble(subject, direction, outcome, environment, started_at)

    def outcome(self, request: ModelRequest) -> Outcome:
        """Check and measure the step; whatever is raised becomes its status."""
        self.seed()
        stepper = None
        try:
            stepper, first = self.open(request)
            return self.measure(stepper, first, stepper.loader, request)
        except Exception as error:  # noqa: BLE001 - whatever a framework or a model raises
            self.framework.discard_errors()
            status, reason = classify_model(error, self.framework, request.dtype)
            return Outcome(status=status, reason=reason)
        finally:
            if stepper is not None:
                stepper.loader.close()

    def open(self, request: ModelRequest) -> tuple[Stepper, Batch]:
        """Return what makes the steps, and a first batch."""
        return open_stepper(request)

    def seed(self) -> None:
        """Seed the framework."""
        self.framework.seed(self.task.settings.seed)

    def begin_first_step(self) -> None:
        """Get ready for one of the first steps, in all of which the same is drawn."""
        self.seed()

    def measure(
        self, stepper: Stepper, first: Batch, loader: Loader, request: ModelRequest
    ) -> Outcome:
        """Look at the first steps, time the step whole, and then its phases."""
        settings = self.task.settings
        device = self.framework.device(self.task.device)
        first_steps = FirstSteps(
            stepper, first, device,
            seed=self.begin_first_step, alive=partial(self.tell, 0.0),
        )  # fmt: skip
        if fault := first_steps.fault():
            return Outcome(status="wrong_result", reason=fault)
        step = min(first_steps.seconds)
        bounded = self.bounded(settings, request, step)
        self.tell(PATIENCE * self.expected(bounded, step))
        outcome = measure_work(
            stepper.work(device), bounded, StepChecks(stepper=stepper),
            fill_holes=settings.process == LAID_OUT, check_only=self.task.check_only,
        )  # fmt: skip
        if outcome.samples is None:
            return outcome
        phases = phase_samples(stepper, device, bounded.budget)
        metrics = [*phase_metrics(phases)]
        waiting = data_warning(phases, request.data.threads)
        warnings = [*outcome.warnings, *waiting, *loader.notes()]
        samples = replace(outcome.samples, first_call=first_steps.seconds[0])
        last = [stepper.trainer.value(stepper.last)] if stepper.training else []
        losses = loss_metrics(first_steps.losses, last)
        metrics = [*throughput(outcome, request), *metrics, *losses]
        return replace(outcome, samples=samples, metrics=metrics, warnings=warnings)

    def bounded(self, settings: Settings, request: ModelRequest, step: float) -> Settings:
        """Return how the step is timed: no longer than as many steps as are asked for take."""
        if request.exact:
            return settings
        return replace(settings, budget=min(settings.budget, request.num_batches * step))

    def expected(self, settings: Settings, step: float) -> float:
        """Return about the seconds that checks, warm-up, samples and phases take."""
        steps = (settings.runs or MINIMUM_SAMPLES) + (settings.warmup or 0) + 2 * MINIMUM_SAMPLES
        return steps * step + settings.budget
