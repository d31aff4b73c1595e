"""The child of an arm that trains networks; its loop is that of `opperf.measuring.children.arm`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UnsupportedError
from opperf.core.frameworks.failure import classify_model
from opperf.core.memory.layout import shift_layout
from opperf.measuring.children.arm import ArmServer
from opperf.measuring.children.arm_subject import ArmSubject
from opperf.measuring.children.timing import serve
from opperf.networks.measuring.opening import open_stepper
from opperf.networks.measuring.sanity import FirstSteps
from opperf.networks.measuring.task import model_task_from
from opperf.networks.request import request_from

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from opperf.core.frameworks.device import Device
    from opperf.core.frameworks.framework import Framework
    from opperf.core.frameworks.workload import Work
    from opperf.core.tensors.tensor import Array
    from opperf.core.timing.metric import Metric
    from opperf.measuring.probes.probe import FreshProbe
    from opperf.networks.data.loader import Batch
    from opperf.networks.measuring.stepping import Stepper
    from opperf.planning.task import Row


def main(arguments: Sequence[str]) -> None:
    """Do what the parent asks for, step by step, in a layout of memory that it has chosen."""
    shift_layout()
    serve(arguments, ModelArmServer())


class ModelArmServer(ArmServer):
    """Opens networks to be trained, or to infer."""

    def subject_of(self, message: Mapping[str, Any], framework: Framework) -> ModelSubject:
        """Return a task's network, on its first batch."""
        if isinstance(self.subject, ModelSubject):
            self.subject.stepper.loader.close()
        task = model_task_from(message["task"])
        framework.seed(task.settings.seed)
        stepper, first = open_stepper(request_from(task.request))
        seed = partial(framework.seed, task.settings.seed)
        device = framework.device(task.device)
        return ModelSubject(
            settings=task.settings, dtype=task.request["dtype"], stepper=stepper, device=device,
            steps=FirstSteps(stepper, first, device, seed=seed, alive=lambda: None), first=first,
        )  # fmt: skip

    def ending(self, error: Exception, framework: Framework, dtype: str) -> tuple[str, str]:
        """Return the status and the reason of what was raised."""
        return classify_model(error, framework, dtype)


@dataclass(kw_only=True)
class ModelSubject(ArmSubject):
    """A network's step; what is checked is that its numbers are sane and its loss falls."""

    settings: Any
    dtype: str
    stepper: Stepper
    device: Device
    steps: FirstSteps
    first: Batch

    def fault(self, row: Row) -> str | None:
        """Make the first steps, and return what is wrong with them."""
        del row
        return self.steps.fault()

    def note(self, row: Row) -> None:
        """Make a step: another process has found nothing wrong with the first ones."""
        del row
        self.stepper.step_on(self.first)

    def fault_after(self, row: Row) -> str | None:
        """Return what is not finite of the last step."""
        del row
        return self.stepper.trainer.fault(self.stepper.last)

    def outputs(self, row: Row) -> list[Array]:
        """Keep nothing of a step."""
        del row
        return []

    def work(self, row: Row) -> Work:
        """Return the step."""
        del row
        return self.stepper.work(self.device)

    def weigh(self, probe: FreshProbe, row: Row) -> Iterable[Metric]:
        """Refuse to weigh a network.

        Raises:
            UnsupportedError: always.
        """
        del row
        raise UnsupportedError(f"{', '.join(probe.names)}: not of a network")
