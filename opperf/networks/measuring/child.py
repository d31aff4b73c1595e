"""The child that trains networks; its loop is that of `opperf.measuring.children.timing`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.measuring.children.timing import Measurer, serve
from opperf.networks.measuring.attempt import ModelAttempt
from opperf.networks.measuring.launching import LaunchedAttempt
from opperf.networks.measuring.task import model_task_from
from opperf.networks.request import request_from

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.frameworks.framework import Framework
    from opperf.measuring.children.timing import Answer
    from opperf.planning.task import Task


def main(arguments: Sequence[str]) -> None:
    """Train network by network until told no more."""
    serve(arguments, ModelMeasurer())


class ModelMeasurer(Measurer):
    """Measures the tasks of networks."""

    answer: Answer

    def __call__(self, message: Mapping[str, Any], framework: Framework, answer: Answer) -> None:
        """Carry out a task."""
        self.answer = answer
        super().__call__(message, framework, answer)

    def read(self, message: Mapping[str, Any]) -> Task:
        """Return the task that a message holds."""
        return model_task_from(message)

    def attempt(self, task: Task, framework: Framework) -> ModelAttempt:
        """Return what measures a network, on one device or several."""
        several = request_from(task.request).devices > 1  # type: ignore[attr-defined] # `read` makes no others
        kind = LaunchedAttempt if several else ModelAttempt
        return kind(task, framework, self.tell)  # type: ignore[arg-type] # nor here

    def tell(self, seconds: float) -> None:
        """Say that the network lives, and about how long what comes next takes."""
        self.answer("working", seconds=seconds)
