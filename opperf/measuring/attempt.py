"""The whole path: from an operator on a framework to results, checked before they are timed."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from opperf.core.checking.expectation import Expectation
from opperf.core.configuration.settings import LAID_OUT
from opperf.core.environment import collect
from opperf.core.errors import UnsupportedError, UsageError
from opperf.core.frameworks.failure import classify
from opperf.core.frameworks.limits import refuse_limitation
from opperf.core.memory.available import available_memory, require_memory
from opperf.core.preparing.case import Case
from opperf.core.preparing.prepare import prepare
from opperf.core.results import record
from opperf.core.results.outcome import Outcome
from opperf.declaring.description import describe
from opperf.measuring.checks import RowChecks
from opperf.measuring.step import measure_work
from opperf.measuring.verification import Verification

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from opperf.core.checking.correctness import Comparison
    from opperf.core.configuration.settings import Settings
    from opperf.core.frameworks.framework import Framework
    from opperf.core.frameworks.variant import Variant
    from opperf.core.frameworks.workload import Workload
    from opperf.core.results.result import Result
    from opperf.declaring.declaration import Declaration
    from opperf.planning.task import Row

ROOM = 4
"""Prefetch only if this multiple of the needed memory is free."""


def tell_nobody(variant: Variant, direction: str) -> None:
    """Tell nobody."""


@dataclass
class Attempt:
    """One operator on one framework: its expected values, its workloads, and what came out."""

    operator: Declaration
    framework: Framework
    device: str
    settings: Settings
    check_only: bool = False
    obey_limitations: bool = True
    workloads: dict[Variant, Workload] = field(default_factory=dict)
    medians: dict[Variant, dict[str, float]] = field(default_factory=dict)

    def results(self, rows: Sequence[Row] | None = None) -> Iterator[Result]:
        """Yield a result a row, by default of every variant and direction, as each is measured.

        Raises:
            UsageError: the device is not here, or the tensors do not fit into memory.
        """
        from opperf.core.results.reading import from_mapping

        yield from map(from_mapping, self.records(rows))

    def records(
        self,
        rows: Sequence[Row] | None = None,
        announce: Callable[[Variant, str], None] = tell_nobody,
    ) -> Iterator[dict[str, Any]]:
        """Yield the same as JSON, which takes no more than the measuring child may import.

        `announce` is told of each row as it begins.

        Raises:
            UsageError: the device is not here, or the tensors do not fit into memory.
        """
        operator, framework = self.operator, self.framework
        require_memory(operator.name(), operator.memory_needed())
        framework.load(self.settings.threads)
        framework.device(self.device)
        environment = collect(framework.facts())
        for variant, direction in operator.rows() if rows is None else rows:
            announce(variant, direction)
            started_at = record.now()
            outcome = self.outcome(variant, direction)
            subject = describe(operator, framework, self.device, self.settings, variant)
            yield record.assemble(subject, direction, outcome, environment, started_at)

    def prefetch(self, rows: Sequence[Row]) -> None:
        """Draw the inputs of these rows and find what is expected of them, before they are due.

        What fails here fails again when its row is measured, and is told then. Another operator's
        tensors may still be held beside these, so that there has to be room for several times them.
        """
        self.load_compiler(rows)
        if ROOM * self.operator.memory_needed() > (available_memory() or 0):
            return
        for variant, direction in rows:
            try:
                self.refuse(variant, direction)
                self.workload(variant)
                self.expectation.prefetch(direction)
            except Exception:  # noqa: BLE001, PERF203 - whatever it is, its own row will tell
                self.framework.discard_errors()

    def load_compiler(self, rows: Sequence[Row]) -> None:
        """Load the framework's compiler if a row needs it: that is no part of a call."""
        if any(self.compiles(variant) for variant, _ in rows):
            self.framework.load_compiler()

    def compiles(self, variant: Variant) -> bool:
        """Return whether a first call may take a compiler's time."""
        implementation = self.framework.implementation(type(self.operator), variant=variant)
        return implementation is not None and implementation.compiles

    def outcome(self, variant: Variant, direction: str) -> Outcome:
        """Check and measure one row; whatever the framework raises becomes its status."""
        try:
            self.refuse(variant, direction)
            return self.checked_measurement(variant, direction)
        except UsageError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever a framework raises is a row
            self.framework.discard_errors()
            status, reason = classify(error, self.framework, self.operator.dtype)
            return Outcome(status=status, reason=reason)

    def refuse(self, variant: Variant, direction: str) -> None:
        """Raise where this combination is known or declared not to exist."""
        if self.obey_limitations:
            refuse_limitation(self.operator, self.framework, direction, variant=variant)
        if direction not in self.framework.directions:
            raise UnsupportedError(f"{self.framework.name} measures forward only")

    def checked_measurement(self, variant: Variant, direction: str) -> Outcome:
        """Make the first call, compare what comes out, and only then measure."""
        workload = self.workload(variant)
        self.load_compiler([(variant, direction)])
        checks = RowChecks(
            verification=self.verification,
            variant=variant,
            direction=direction,
            settings=self.settings,
            medians=self.medians.setdefault(variant, {}),
            warnings=workload.warnings,
        )
        return measure_work(
            workload.works[direction](),
            self.settings,
            checks,
            fill_holes=self.settings.process == LAID_OUT,
            check_only=self.check_only,
        )

    def compare(self, variant: Variant, direction: str) -> Comparison:
        """Compare what this direction yields with the reference, each part of it once."""
        return self.verification.compare(variant, direction)

    @cached_property
    def verification(self) -> Verification:
        """What compares outputs and gradients, before and after they are timed."""
        return Verification(
            self.expectation, self.framework, self.workload, self.operator.output_dtypes
        )

    @cached_property
    def expectation(self) -> Expectation:
        """What a correct framework returns."""
        return Expectation(self.operator, self.settings.seed)

    def workload(self, variant: Variant) -> Workload:
        """Return the operator on the framework's own tensors, made once."""
        if variant not in self.workloads:
            self.framework.seed(self.settings.seed)
            self.workloads[variant] = prepare(
                self.framework, self.case(variant), cache=self.settings.cache
            )
        return self.workloads[variant]

    def case(self, variant: Variant) -> Case:
        """Return the operator on its arrays."""
        operator, expectation = self.operator, self.expectation
        return Case(
            operator=type(operator),
            tensors=operator.domains(),
            arrays=expectation.arrays,
            attributes=operator.keywords,
            dtype=operator.dtype,
            device=self.device,
            training_mode=operator.training_mode,
            variant=variant,
            cotangents=expectation.cotangents if operator.inputs["run_backward"] else (),
            differentiable_outputs=operator.differentiable_outputs,
            output_layout=operator.output_layout,
        )
