"""The child of an arm that measures models; its loop is that of `opperf.measuring.children.arm`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UnsupportedError
from opperf.core.frameworks.failure import classify_model
from opperf.core.memory.layout import shift_layout
from opperf.core.timing.measure import time_first_call
from opperf.measuring.children.arm import ArmServer
from opperf.measuring.children.arm_subject import ArmSubject
from opperf.measuring.children.timing import serve
from opperf.specs.measuring.checks import checks_of
from opperf.specs.measuring.opening import open_inference
from opperf.specs.measuring.task import spec_task_from

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from opperf.core.frameworks.framework import Framework
    from opperf.core.frameworks.workload import Work
    from opperf.core.tensors.tensor import Array
    from opperf.core.timing.metric import Metric
    from opperf.measuring.probes.probe import FreshProbe
    from opperf.planning.task import Row
    from opperf.specs.measuring.checks import SpecChecks


def main(arguments: Sequence[str]) -> None:
    """Do what the parent asks for, step by step, in a layout of memory that it has chosen."""
    shift_layout()
    serve(arguments, SpecArmServer())


class SpecArmServer(ArmServer):
    """Opens the models of tests."""

    def subject_of(self, message: Mapping[str, Any], framework: Framework) -> SpecSubject:
        """Return a test's model, loaded, and its inputs."""
        task = spec_task_from(message["task"])
        framework.seed(task.settings.seed)
        checks = checks_of(task, open_inference(task, framework))
        return SpecSubject(settings=task.settings, dtype=task.dtype, checks=checks)

    def ending(self, error: Exception, framework: Framework, dtype: str) -> tuple[str, str]:
        """Return the status and the reason of what was raised."""
        return classify_model(error, framework, dtype)


@dataclass(kw_only=True)
class SpecSubject(ArmSubject):
    """A model's inference, checked as a run checks it."""

    settings: Any
    dtype: str
    checks: SpecChecks

    def fault(self, row: Row) -> str | None:
        """Make an inference, and return what is wrong with its outputs."""
        del row
        return self.checks.judge().fault

    def note(self, row: Row) -> None:
        """Make an inference: another process has found nothing wrong with the first one."""
        del row
        time_first_call(self.checks.inference.work())

    def fault_after(self, row: Row) -> str | None:
        """Return what is wrong with an inference by now."""
        del row
        return self.checks.judge().fault

    def outputs(self, row: Row) -> list[Array]:
        """Return the outputs, for them to be compared with the other arm's."""
        del row
        return [*self.checks.inference.outputs()]

    def work(self, row: Row) -> Work:
        """Return the inference."""
        del row
        return self.checks.inference.work()

    def weigh(self, probe: FreshProbe, row: Row) -> Iterable[Metric]:
        """Refuse to weigh a model, which has no workload of several directions.

        Raises:
            UnsupportedError: always.
        """
        del row
        raise UnsupportedError(f"{', '.join(probe.names)}: not of a specification's model")
