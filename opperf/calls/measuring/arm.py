"""The child of an arm that measures calls; its loop is that of `opperf.measuring.children.arm`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from opperf.calls.format.values import call_from
from opperf.calls.measuring.attempt import first_sentence, lacking_memory
from opperf.calls.measuring.casting import cast
from opperf.calls.measuring.checks import CallChecks, digest_of
from opperf.calls.measuring.description import computed_in, reach
from opperf.calls.measuring.prepared import PreparedCall
from opperf.calls.measuring.task import call_task_from
from opperf.core.errors import OpperfError, UnsupportedError, UsageError
from opperf.core.memory.layout import shift_layout
from opperf.measuring.children.arm import ArmServer
from opperf.measuring.children.arm_subject import ArmSubject
from opperf.measuring.children.timing import serve
from opperf.measuring.step import RIGHT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from opperf.calls.measuring.task import CallTask
    from opperf.core.frameworks.framework import Framework
    from opperf.core.frameworks.workload import Work
    from opperf.core.tensors.tensor import Array
    from opperf.core.timing.metric import Metric
    from opperf.measuring.children.arm_subject import Wanted
    from opperf.measuring.probes.probe import FreshProbe
    from opperf.planning.task import Row


def main(arguments: Sequence[str]) -> None:
    """Do what the parent asks for, step by step, in a layout of memory that it has chosen."""
    shift_layout()
    serve(arguments, CallArmServer())


class SkippedError(OpperfError):
    """A call is not made here, and nothing is wrong with it."""


class CallArmServer(ArmServer):
    """Opens calls."""

    def subject_of(self, message: Mapping[str, Any], framework: Framework) -> CallSubject:
        """Return a task's call on arrays of a file, or on none where it is to be described."""
        task, arrays = call_task_from(message["task"]), message.get("arrays")
        call = cast(call_from(task.call), task.dtype)
        prepared = GivenCall(
            framework,
            framework.bind_call(call, task.device),
            framework.device(task.device),
            task.settings.seed,
            arrays=np.load(arrays, allow_pickle=False) if arrays else {},
        )
        if lacking := lacking_memory(prepared):
            raise SkippedError(lacking)
        if arrays:
            prepared.refuse_others()
        return CallSubject(task, prepared, computed_in(call) or "")

    def ending(self, error: Exception, framework: Framework, dtype: str) -> tuple[str, str]:
        """Return the status and the reason of what was raised, as a run has them."""
        if isinstance(error, SkippedError):
            return "skipped", str(error)
        if isinstance(error, UsageError):
            return "failed", str(error)
        if isinstance(error, NotImplementedError):
            return "unsupported", first_sentence(str(error))
        return super().ending(error, framework, dtype)


@dataclass(kw_only=True)
class GivenCall(PreparedCall):
    """A call on tensors that somebody else has drawn, by their positions."""

    arrays: Mapping[str, Array]

    def flat(self, name: str) -> Array:
        """Return the elements of a tensor's memory, the same each time."""
        return self.arrays[str([*self.bound.tensors].index(name))]

    def refuse_others(self) -> None:
        """Refuse tensors of other sizes than this framework's version wants.

        Raises:
            UnsupportedError: they were drawn by what the other arm has described.
        """
        wanted = [reach(tensor) for tensor in self.bound.tensors.values()]
        given = [self.flat(name).size for name in self.bound.tensors]
        if given != wanted:
            raise UnsupportedError("the arms' versions take other tensors for this call")


@dataclass
class CallSubject(ArmSubject):
    """A call, checked as a run checks it."""

    task: CallTask
    prepared: GivenCall
    dtype: str

    def __post_init__(self) -> None:
        """Take the settings of the task."""
        self.settings = self.task.settings

    @cached_property
    def checks(self) -> CallChecks:
        """What compares its results."""
        return CallChecks(prepared=self.prepared, settings=self.settings)

    def tensors(self) -> Wanted:
        """Return how many elements each tensor's memory holds, of what type and what kind."""
        return [
            {
                "elements": reach(tensor),
                "dtype": tensor.dtype,
                "values": dict(tensor.values or {}),
            }
            for tensor in self.prepared.bound.tensors.values()
        ]

    def fault(self, row: Row) -> str | None:
        """Return what is wrong with its results, in float64 or by what can be told without."""
        del row
        outcome = self.checks.compare(self.prepared.work())
        return None if outcome.status == RIGHT else outcome.reason

    def note(self, row: Row) -> None:
        """Take its results for right, as another process has found."""
        del row
        self.checks.right = digest_of(self.checks.call()[1])

    def fault_after(self, row: Row) -> str | None:
        """Return what has gone wrong with it since."""
        del row
        return self.checks.compare_again()

    def outputs(self, row: Row) -> list[Array]:
        """Return its results, none where they are random or uninitialized."""
        del row
        return [] if self.prepared.bound.unchecked else [*self.checks.call()[1]]

    def work(self, row: Row) -> Work:
        """Return what is timed, the same in hot caches alone."""
        del row
        return self.prepared.work()

    def weigh(self, probe: FreshProbe, row: Row) -> Iterable[Metric]:
        """Refuse to weigh a call, which has no workload of several directions.

        Raises:
            UnsupportedError: always.
        """
        del row
        raise UnsupportedError(f"{', '.join(probe.names)}: not of a network's calls")
