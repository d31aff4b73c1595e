"""The child that measures models; its loop is that of `opperf.measuring.children.timing`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.measuring.children.timing import Measurer, serve
from opperf.measuring.worker.protocol import LONGEST, WORKING
from opperf.specs.measuring.attempt import SpecAttempt
from opperf.specs.measuring.task import spec_task_from

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.frameworks.framework import Framework
    from opperf.measuring.children.timing import Answer
    from opperf.planning.task import Task


def main(arguments: Sequence[str]) -> None:
    """Measure test by test until told no more."""
    serve(arguments, SpecMeasurer())


class SpecMeasurer(Measurer):
    """Measures the tests of specifications."""

    answer: Answer

    def __call__(self, message: Mapping[str, Any], framework: Framework, answer: Answer) -> None:
        """Carry out a test."""
        self.answer = answer
        super().__call__(message, framework, answer)

    def read(self, message: Mapping[str, Any]) -> Task:
        """Return the task that a message holds."""
        return spec_task_from(message)

    def attempt(self, task: Task, framework: Framework) -> SpecAttempt:
        """Return what measures a test."""
        return SpecAttempt(task, framework, self.tell)  # type: ignore[arg-type] # `read` makes no others

    def tell(self, seconds: float) -> None:
        """Say that the test lives, and about how long what comes next takes."""
        self.answer(WORKING, seconds=min(seconds, LONGEST))
