"""The child that measures models; its loop is that of `opperf.measuring.children.timing`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.measuring.children.patience import PatienceMeasurer
from opperf.measuring.children.timing import serve
from opperf.specs.measuring.attempt import SpecAttempt
from opperf.specs.measuring.task import spec_task_from

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.frameworks.framework import Framework
    from opperf.planning.task import Task


def main(arguments: Sequence[str]) -> None:
    """Measure test by test until told no more."""
    serve(arguments, SpecMeasurer())


class SpecMeasurer(PatienceMeasurer):
    """Measures the tests of specifications."""

    def read(self, message: Mapping[str, Any]) -> Task:
        """Return the task that a message holds."""
        return spec_task_from(message)

    def attempt(self, task: Task, framework: Framework) -> SpecAttempt:
        """Return what measures a test."""
        return SpecAttempt(task, framework, self.tell)  # type: ignore[arg-type] # `read` makes no others
