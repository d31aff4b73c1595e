"""The whole path: from an operator on a framework to results, checked before they are timed."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from opperf.core import record
from opperf.core.caution import (
    Caution,
    cautions,
    cross_check,
    irregular_share,
    value_drift,
)
from opperf.core.correctness import Comparison
from opperf.core.environment import collect
from opperf.core.errors import UnsupportedError, UsageError
from opperf.core.expectation import Expectation
from opperf.core.framework import Case
from opperf.core.measure import measure, time_first_call
from opperf.core.memory import require_memory
from opperf.core.prepare import prepare
from opperf.core.statistics import summarize

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opperf.core.framework import Framework
    from opperf.core.record import Outcome, Subject
    from opperf.core.result import Result
    from opperf.core.settings import Settings
    from opperf.core.workload import Workload
    from opperf.declaration import Declaration

OUT_OF_MEMORY = (
    "allocate memory",
    "failed to allocate",
    "unable to allocate",
    "bad_alloc",
    "out of memory",
)


def measure_operator(
    operator: Declaration,
    framework: Framework,
    device: str,
    settings: Settings,
    *,
    check_only: bool = False,
) -> Iterator[Result]:
    """Yield a result for each variant and direction of the operator, as each is measured."""
    for fused in operator.variants():
        attempt = Attempt(operator, framework, device, settings, fused, check_only=check_only)
        yield from attempt.results(operator.directions())


@dataclass
class Attempt:
    """One operator on one framework: everything from its inputs to its results."""

    operator: Declaration
    framework: Framework
    device: str
    settings: Settings
    fused: bool | None
    check_only: bool = False
    obey_limitations: bool = True
    medians: dict[str, float] = field(default_factory=dict)

    def results(self, directions: Sequence[str]) -> Iterator[Result]:
        """Yield one result a direction; what fails in one does not hinder the next."""
        require_memory(self.operator.name(), self.operator.memory_needed())
        self.framework.load(self.settings.threads)
        self.framework.device(self.device)
        environment = collect(self.framework.facts())
        subject = describe(self.operator, self.framework, self.device, self.settings, self.fused)
        for direction in directions:
            started_at = record.now()
            outcome = self.outcome(direction)
            yield record.assemble(subject, direction, outcome, environment, started_at)

    def outcome(self, direction: str) -> Outcome:
        """Check and measure one direction; whatever is raised becomes a status."""
        try:
            self.refuse(direction)
            return self.checked_measurement(direction)
        except UsageError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever a framework raises is a row
            status, reason = classify(error)
            return record.Outcome(status=status, reason=reason)

    def refuse(self, direction: str) -> None:
        """Raise where this combination is known or declared not to exist."""
        if self.obey_limitations:
            self.operator.refuse_limitation(self.framework.name, direction, fused=self.fused)
        if direction not in self.framework.directions:
            raise UnsupportedError(f"{self.framework.name} measures forward only")

    def checked_measurement(self, direction: str) -> Outcome:
        """Make the first call, compare what comes out, and only then measure."""
        work = self.workload.works[direction]()
        first_call = time_first_call(work)
        comparison = self.compare(direction)
        kind = self.expectation.gradient_kind if "backward" in direction else None
        seen = {"comparison": comparison, "gradient_kind": kind, "method": work.method}
        if comparison.fault:
            return record.Outcome(status="wrong_result", reason=comparison.fault, **seen)
        if self.check_only:
            return record.Outcome(status="skipped", reason="checked, not timed", **seen)
        samples = measure(work, self.settings, first_call=first_call)
        summary = summarize(samples.times())
        self.medians[direction] = summary.median
        notes = [*cautions(samples, summary, self.settings), *self.later_cautions(direction)]
        status = "noisy" if any(note.noisy for note in notes) else "ok"
        return record.Outcome(
            status=status, samples=samples, summary=summary, cautions=notes, **seen
        )

    def compare(self, direction: str) -> Comparison:
        """Compare what this direction yields with the reference."""
        training = direction != "forward"
        outputs = self.workload.outputs(training)
        comparison = self.expectation.check_outputs(outputs, training=training)
        if "backward" in direction and not comparison.fault:
            gradients = self.expectation.check_gradients(self.workload.gradients())
            return gradients.worst(comparison)
        return comparison

    def later_cautions(self, direction: str) -> Iterator[Caution]:
        """Yield what only shows once a direction is measured."""
        if direction == "forward_backward":
            yield from cross_check(self.medians)
        before = irregular_share([*self.expectation.arrays.values()])
        yield from value_drift(before, irregular_share(self.workload.inputs()))

    @cached_property
    def expectation(self) -> Expectation:
        """What a correct framework returns."""
        return Expectation(self.operator, self.settings.seed)

    @cached_property
    def workload(self) -> Workload:
        """The operator on the framework's own tensors."""
        self.framework.seed(self.settings.seed)
        operator, expectation = self.operator, self.expectation
        case = Case(
            operator=type(operator),
            tensors=operator.tensors,
            arrays=expectation.arrays,
            attributes=operator.keywords,
            dtype=operator.dtype,
            device=self.device,
            training_mode=operator.training_mode,
            fused=self.fused,
            cotangents=expectation.cotangents if operator.inputs["run_backward"] else (),
            differentiable_outputs=operator.differentiable_outputs,
        )
        return prepare(self.framework, case)


def classify(error: Exception) -> tuple[str, str]:
    """Return the status and the reason of what a framework raised."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    reason = f"{type(error).__name__}: {lines[-1] if lines else 'no message'}"[:1000]
    if isinstance(error, UnsupportedError):
        return "unsupported", str(error)
    if isinstance(error, MemoryError) or any(w in str(error).lower() for w in OUT_OF_MEMORY):
        return "out_of_memory", reason
    return "failed", reason


def describe(
    operator: Declaration,
    framework: Framework,
    device: str,
    settings: Settings,
    fused: bool | None,
) -> Subject:
    """Return what is measured, as its record states it; imports no framework."""
    implementation = framework.implementation(type(operator), fused=fused)
    return record.Subject(
        operator={
            "name": operator.name(),
            "category": operator.category,
            "framework": framework.name,
            "implementation": implementation.name if implementation else None,
            "size": operator.size,
            "fused": fused,
            "device": device,
        },
        inputs=operator.describe_inputs(),
        attributes=operator.keywords,
        initializer=operator.initializer_name(),
        seed=settings.seed,
        threads=settings.threads,
        counts=operator.counts(),
        output_bytes=operator.output_bytes(),
        definition=operator.definition(),
    )
