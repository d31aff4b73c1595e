"""The child that measures calls as declared operators, on another framework than their own."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from opperf.calls.measuring.declared_task import declared_task_from
from opperf.core.statistics.warning import MeasurementWarning
from opperf.measuring.attempt import Attempt
from opperf.measuring.children.timing import Measurer, serve
from opperf.planning.task import operator_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.frameworks.framework import Framework
    from opperf.core.frameworks.variant import Variant
    from opperf.core.frameworks.workload import Workload
    from opperf.planning.task import Task


def main(arguments: Sequence[str]) -> None:
    """Measure operator by operator until told no more."""
    serve(arguments, DeclaredMeasurer())


@dataclass
class DeclaredAttempt(Attempt):
    """A declared operator in the place of a call; `dense` names what lay otherwise in memory."""

    dense: Sequence[str] = ()

    def workload(self, variant: Variant) -> Workload:
        """Return the operator's workload, which says what is measured instead."""
        made = super().workload(variant)
        if not self.dense:
            return made
        names = ", ".join(self.dense)
        note = MeasurementWarning(
            "strides", f"captured with strides ({names}), measured contiguous"
        )
        return replace(made, warnings=[*made.warnings, note])


class DeclaredMeasurer(Measurer):
    """Measures the tasks of calls that are declared operators."""

    def read(self, message: Mapping[str, Any]) -> Task:
        """Return the task that a message holds."""
        return declared_task_from(message)

    def attempt(self, task: Task, framework: Framework) -> Attempt:
        """Return what measures it."""
        return DeclaredAttempt(
            operator_of(task), framework, task.device, task.settings,
            check_only=task.check_only, dense=task.dense,  # type: ignore[attr-defined]
        )  # fmt: skip
