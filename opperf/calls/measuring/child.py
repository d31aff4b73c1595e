"""The child that measures calls; its loop is that of `opperf.measuring.children.timing`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.calls.measuring.attempt import CallAttempt
from opperf.calls.measuring.task import call_task_from
from opperf.measuring.children.timing import Measurer, serve

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.frameworks.framework import Framework
    from opperf.planning.task import Task


def main(arguments: Sequence[str]) -> None:
    """Measure call by call until told no more."""
    serve(arguments, CallMeasurer())


class CallMeasurer(Measurer):
    """Measures the tasks of calls."""

    def read(self, message: Mapping[str, Any]) -> Task:
        """Return the task that a message holds."""
        return call_task_from(message)

    def attempt(self, task: Task, framework: Framework) -> CallAttempt:
        """Return what measures a call."""
        return CallAttempt(task, framework)  # type: ignore[arg-type] # `read` makes no others
