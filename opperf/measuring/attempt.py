"""The whole path: from an operator on a framework to results, checked before they are timed."""

from __future__ import annotations

from contextlib import suppress
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
    from opperf.core.frameworks.workload import Workload
    from opperf.core.results.result import Result
    from opperf.declaring.declaration import Declaration
    from opperf.planning.task import Row

ROOM = 4
"""Prefetch only if this multiple of the needed memory is free."""


def tell_nobody(fused: bool | None, direction: str) -> None:
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
    workloads: dict[bool | None, Workload] = field(default_factory=dict)
    medians: dict[bool | None, dict[str, float]] = field(default_factory=dict)

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
        announce: Callable[[bool | None, str], None] = tell_nobody,
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
        for fused, direction in operator.rows() if rows is None else rows:
            announce(fused, direction)
            started_at = record.now()
            outcome = self.outcome(fused, direction)
            subject = describe(operator, framework, self.device, self.settings, fused)
            yield record.assemble(subject, direction, outcome, environment, started_at)

    def prefetch(self, rows: Sequence[Row]) -> None:
        """Draw the inputs of these rows and find what is expected of them, before they are due.

        What fails here fails again when its row is measured, and is told then. Another operator's
        tensors may still be held beside these, so that there has to be room for several times them.
        """
        self.load_compiler(rows)
        if ROOM * self.operator.memory_needed() > (available_memory() or 0):
            return
        for fused, direction in rows:
            with suppress(Exception):
                self.refuse(fused, direction)
                self.workload(fused)
                self.expectation.prefetch(direction)

    def load_compiler(self, rows: Sequence[Row]) -> None:
        """Load the framework's compiler if a row needs it: that is no part of a call."""
        if any(self.compiles(fused) for fused, _ in rows):
            self.framework.load_compiler()

    def compiles(self, fused: bool | None) -> bool:
        """Return whether a first call may take a compiler's time."""
        implementation = self.framework.implementation(type(self.operator), fused=fused)
        return implementation is not None and implementation.compiles

    def outcome(self, fused: bool | None, direction: str) -> Outcome:
        """Check and measure one row; whatever the framework raises becomes its status."""
        try:
            self.refuse(fused, direction)
            return self.checked_measurement(fused, direction)
        except UsageError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever a framework raises is a row
            status, reason = classify(error, self.framework, self.operator.dtype)
            return Outcome(status=status, reason=reason)

    def refuse(self, fused: bool | None, direction: str) -> None:
        """Raise where this combination is known or declared not to exist."""
        if self.obey_limitations:
            refuse_limitation(self.operator, self.framework, direction, fused=fused)
        if direction not in self.framework.directions:
            raise UnsupportedError(f"{self.framework.name} measures forward only")

    def checked_measurement(self, fused: bool | None, direction: str) -> Outcome:
        """Make the first call, compare what comes out, and only then measure."""
        workload = self.workload(fused)
        self.load_compiler([(fused, direction)])
        checks = RowChecks(
            verification=self.verification,
            fused=fused,
            direction=direction,
            settings=self.settings,
            medians=self.medians.setdefault(fused, {}),
            warnings=workload.warnings,
        )
        return measure_work(
            workload.works[direction](),
            self.settings,
            checks,
            fill_holes=self.settings.process == LAID_OUT,
            check_only=self.check_only,
        )

    def compare(self, fused: bool | None, direction: str) -> Comparison:
        """Compare what this direction yields with the reference, each part of it once."""
        return self.verification.compare(fused, direction)

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

    def workload(self, fused: bool | None) -> Workload:
        """Return the operator on the framework's own tensors, made once."""
        if fused not in self.workloads:
            self.framework.seed(self.settings.seed)
            self.workloads[fused] = prepare(
                self.framework, self.case(fused), cache=self.settings.cache
            )
        return self.workloads[fused]

    def case(self, fused: bool | None) -> Case:
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
            fused=fused,
            cotangents=expectation.cotangents if operator.inputs["run_backward"] else (),
            differentiable_outputs=operator.differentiable_outputs,
            output_layout=operator.output_layout,
        )
