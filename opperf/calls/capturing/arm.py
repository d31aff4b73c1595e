"""The child of an arm that measures networks; its loop is that of `opperf.measuring.children.arm`.

A network has it for itself: its weights and caches would be in the way of single calls.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from opperf.calls.capturing.child import opened, step_of
from opperf.calls.capturing.source import Source
from opperf.calls.capturing.task import network_task_from
from opperf.core.errors import OpperfError, UnsupportedError
from opperf.core.memory.layout import shift_layout
from opperf.core.timing.measure import time_first_call
from opperf.measuring.children.arm import ArmServer
from opperf.measuring.children.arm_subject import ArmSubject
from opperf.measuring.children.timing import serve

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from opperf.core.frameworks.framework import Framework
    from opperf.core.frameworks.workload import Work
    from opperf.core.tensors.tensor import Array
    from opperf.core.timing.metric import Metric
    from opperf.measuring.probes.probe import FreshProbe
    from opperf.planning.task import Row


def main(arguments: Sequence[str]) -> None:
    """Do what the parent asks for, step by step, in a layout of memory that it has chosen."""
    shift_layout()
    serve(arguments, NetworkArmServer())


class NetworkArmServer(ArmServer):
    """Opens networks."""

    def subject_of(self, message: Mapping[str, Any], framework: Framework) -> NetworkSubject:
        """Return a task's network, made anew from its source."""
        task = network_task_from(message["task"])
        source = Source(**task.source)
        return NetworkSubject(task.settings, step_of(opened(source, framework), source, framework))

    def ending(self, error: Exception, framework: Framework, dtype: str) -> tuple[str, str]:
        """Return the status and the reason of what was raised; what is ours says it in a line."""
        if isinstance(error, OpperfError) and not isinstance(error, UnsupportedError):
            return "failed", str(error)
        return super().ending(error, framework, dtype)


@dataclass
class NetworkSubject(ArmSubject):
    """A network's step, which has no reference: what is checked is that it can be made."""

    settings: Any
    step: Work
    dtype: str = ""

    def fault(self, row: Row) -> str | None:
        """Make a step, and find nothing wrong with it."""
        del row
        time_first_call(self.step)
        return None

    def note(self, row: Row) -> None:
        """Take down nothing."""

    def fault_after(self, row: Row) -> str | None:
        """Find nothing wrong."""
        del row
        return None

    def outputs(self, row: Row) -> list[Array]:
        """Keep nothing of a step."""
        del row
        return []

    def work(self, row: Row) -> Work:
        """Return the step."""
        del row
        return self.step

    def weigh(self, probe: FreshProbe, row: Row) -> Iterable[Metric]:
        """Refuse to weigh a network.

        Raises:
            UnsupportedError: always.
        """
        del row
        raise UnsupportedError(f"{', '.join(probe.names)}: not of a network")
