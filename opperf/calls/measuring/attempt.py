"""One call on its framework, from its tensors to a record, checked before it is timed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from opperf.calls.declared.category import declaration_of
from opperf.calls.format.values import call_from
from opperf.calls.measuring.casting import cast, cast_away
from opperf.calls.measuring.checks import CallChecks
from opperf.calls.measuring.description import computed_in, describe_call
from opperf.calls.measuring.prepared import PreparedCall
from opperf.calls.measuring.second_reference import SecondReference
from opperf.core.configuration.settings import LAID_OUT
from opperf.core.environment import collect
from opperf.core.errors import UsageError
from opperf.core.frameworks.failure import LONGEST_REASON, classify
from opperf.core.memory.available import available_memory
from opperf.core.preparing.cold import Ring, in_turn, ring_of
from opperf.core.results import record
from opperf.core.results.outcome import Outcome
from opperf.core.statistics.warning import MeasurementWarning
from opperf.core.units import format_bytes
from opperf.measuring.step import measure_work

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from opperf.calls.measuring.task import CallTask
    from opperf.core.frameworks.framework import Framework
    from opperf.core.frameworks.variant import Variant
    from opperf.planning.task import Row

REMEDY = "a smaller --batch needs less"


@dataclass
class CallAttempt:
    """A call's task on its framework."""

    task: CallTask
    framework: Framework
    implementation: str | None = field(default=None, init=False)
    counts: tuple[int | None, int | None] = field(default=(None, None), init=False)

    def compiles(self, variant: Variant) -> bool:
        """Return that no compiler is needed: a call is of one overload."""
        del variant
        return False

    def prefetch(self, rows: Sequence[Row]) -> None:
        """Draw nothing in advance: no memory pass leaves time for it."""

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
            call = cast(call_from(task.call), task.dtype)
            subject = describe_call(
                call, task.framework, task.device, task.settings, self.counts, self.implementation
            )
            yield record.assemble(subject, direction, outcome, environment, started_at)

    def outcome(self) -> Outcome:
        """Check and measure the call; whatever the framework raises becomes its status."""
        call = cast(call_from(self.task.call), self.task.dtype)
        try:
            return self.measure(PreparedCall(
                self.framework, self.framework.bind_call(call, self.task.device),
                self.framework.device(self.task.device), self.task.settings.seed,
            ))  # fmt: skip
        except UsageError as error:
            return Outcome(status="failed", reason=str(error))
        except NotImplementedError as error:  # the operator is there, but not for this device
            return Outcome(status="unsupported", reason=first_sentence(str(error)))
        except Exception as error:  # noqa: BLE001 - whatever a framework raises is a row
            self.framework.discard_errors()
            status, reason = classify(error, self.framework, computed_in(call) or "")
            return Outcome(status=status, reason=reason)

    def measure(self, prepared: PreparedCall) -> Outcome:
        """Check the call, and time it unless that is not asked for or its memory is not there."""
        task, self.implementation = self.task, prepared.bound.implementation
        if lacking := lacking_memory(prepared):
            return Outcome(status="skipped", reason=f"{lacking}; {REMEDY}")
        said = [*self.cast_warnings()]
        ring = Ring(1)
        if task.settings.cache == "cold":
            ring = ring_of(prepared.nbytes(prepared.bound.tensors), prepared.device)
        checks = CallChecks(
            prepared=prepared,
            settings=task.settings,
            said=[note.message for note in said],
            second=self.second(prepared),
            warnings=[*said, *ring.warnings],
        )
        others = [prepared.alike() for _ in range(ring.sets - 1)]
        works = [each.work for each in (prepared, *others)]
        outcome = measure_work(
            in_turn(works) if others else prepared.work(),
            task.settings,
            checks,
            fill_holes=task.settings.process == LAID_OUT,
            check_only=task.check_only,
        )
        self.counts = checks.counts
        return outcome

    def second(self, prepared: PreparedCall) -> SecondReference | None:
        """Return the reference of the declaration that the call is, None where it is none."""
        call = cast(call_from(self.task.call), self.task.dtype)
        found = declaration_of(call, self.framework.name)
        if found is None:
            return None
        return SecondReference(found, prepared.bound.tensors, prepared.flat)

    def cast_warnings(self) -> Iterator[MeasurementWarning]:
        """Yield that the call is measured in another element type than it was captured in."""
        away = cast_away(call_from(self.task.call), self.task.dtype)
        if away:
            message = f"captured in {' and '.join(away)}, measured in {self.task.dtype}"
            yield MeasurementWarning("cast", message)


def lacking_memory(prepared: PreparedCall) -> str | None:
    """Return why a call is not made for want of memory, None where there is enough."""
    free = available_memory()
    if free is None or (needed := prepared.memory_needed(free)) <= free:
        return None
    beside = "" if prepared.bound.unchecked else " with its float64 reference"
    there = f"{format_bytes(free)} are available"
    return f"needs about {format_bytes(needed)}{beside}, {there}"


def first_sentence(text: str) -> str:
    """Return what an error says before it explains itself."""
    line = (text.splitlines() or [""])[0]
    return line.partition(". ")[0][:LONGEST_REASON] or "not implemented"
