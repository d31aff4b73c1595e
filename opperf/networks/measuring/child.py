"""The child that trains networks; its loop is that of `opperf.measuring.children.timing`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.measuring.children.patience import PatienceMeasurer
from opperf.measuring.children.timing import serve
from opperf.networks.measuring.attempt import ModelAttempt
from opperf.networks.measuring.launching import LaunchedAttempt
from opperf.networks.measuring.task import model_task_from
from opperf.networks.request import request_from

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.frameworks.framework import Framework
    from opperf.planning.task import Task


def main(arguments: Sequence[str]) -> None:
    """Train network by network until told no more."""
    serve(arguments, ModelMeasurer())


class ModelMeasurer(PatienceMeasurer):
    """Measures the tasks of networks."""

    def read(self, message: Mapping[str, Any]) -> Task:
        """Return the task that a message holds."""
        return model_task_from(message)

    def attempt(self, task: Task, framework: Framework) -> ModelAttempt:
        """Return what measures a network, on one device or several."""
        several = request_from(task.request).devices > 1  # type: ignore[attr-defined] # `read` makes no others
        kind = LaunchedAttempt if several else ModelAttempt
        return kind(task, framework, self.tell)  # type: ignore[arg-type] # nor here
