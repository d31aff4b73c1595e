"""What an arm measures, opened in its process: an operator here, other kinds of work elsewhere."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from opperf.measuring.attempt import Attempt
from opperf.planning.task import operator_of, task_from

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from opperf.core.configuration.settings import Settings
    from opperf.core.frameworks.framework import Framework
    from opperf.core.frameworks.workload import Work
    from opperf.core.tensors.tensor import Array
    from opperf.core.timing.metric import Metric
    from opperf.measuring.probes.probe import FreshProbe
    from opperf.planning.task import Row

    Wanted = list[dict[str, Any]]
    """The elements, the type and the kind of values of each tensor that is to be drawn."""


class ArmSubject(ABC):
    """A task on its framework, of which one row after the other is made ready, timed, checked."""

    settings: Settings
    dtype: str

    def tensors(self) -> Wanted:
        """Return what the parent has to draw, where it cannot know that by itself."""
        return []

    @abstractmethod
    def fault(self, row: Row) -> str | None:
        """Return what is wrong with what a row yields, by its reference."""

    @abstractmethod
    def note(self, row: Row) -> None:
        """Take what a row yields for right, as another process has found."""

    @abstractmethod
    def fault_after(self, row: Row) -> str | None:
        """Return what has gone wrong with a row since."""

    @abstractmethod
    def outputs(self, row: Row) -> list[Array]:
        """Return what a row yields, for it to be compared with the other arm's."""

    @abstractmethod
    def work(self, row: Row) -> Work:
        """Return what is timed of a row."""

    @abstractmethod
    def weigh(self, probe: FreshProbe, row: Row) -> Iterable[Metric]:
        """Return what a probe finds of a row that nobody times."""


@dataclass
class OperatorSubject(ArmSubject):
    """An operator on arrays that the parent has drawn."""

    attempt: Attempt

    @classmethod
    def open(cls, message: Mapping[str, Any], framework: Framework) -> OperatorSubject:
        """Return the operator of a task on the arrays of a file."""
        task = task_from(message["task"])
        operator = operator_of(task)
        if message.get("compile"):
            framework = framework.compile_operators()
            framework.load_compiler()
        attempt = Attempt(operator, framework, task.device, task.settings, obey_limitations=False)
        attempt.expectation.use(*load(Path(message["arrays"])))
        return cls(attempt)

    @property
    def settings(self) -> Settings:  # type: ignore[override] # those of its task
        """How it is measured."""
        return self.attempt.settings

    @property
    def dtype(self) -> str:  # type: ignore[override] # that of its inputs
        """The element type that it computes in."""
        return str(self.attempt.operator.dtype)

    def fault(self, row: Row) -> str | None:
        """Return what is wrong with outputs or gradients, each part compared once."""
        return self.attempt.compare(*row).fault

    def note(self, row: Row) -> None:
        """Take what a row yields for right."""
        self.attempt.verification.note(*row)

    def fault_after(self, row: Row) -> str | None:
        """Return what has gone wrong with a row since."""
        return self.attempt.verification.compare_again(*row).fault

    def outputs(self, row: Row) -> list[Array]:
        """Return the outputs under the seed."""
        variant, direction = row
        self.attempt.framework.seed(self.settings.seed)
        return [*self.attempt.workload(variant).outputs(direction != "forward")]

    def work(self, row: Row) -> Work:
        """Return the work of a row."""
        variant, direction = row
        return self.attempt.workload(variant).works[direction]()

    def weigh(self, probe: FreshProbe, row: Row) -> Iterable[Metric]:
        """Return what a probe finds of a direction."""
        variant, direction = row
        return probe.measure(self.attempt.workload(variant), direction)


def load(path: Path) -> tuple[dict[str, Any], list[Any]]:
    """Return the inputs by name and the gradients by each output, bit for bit as they were sent."""
    with np.load(path, allow_pickle=False) as stored:
        names = [name for name in stored.files if name.startswith("input:")]
        cotangents = [stored[name] for name in stored.files if name.startswith("cotangent:")]
        return {name.partition(":")[2]: stored[name] for name in names}, cotangents
