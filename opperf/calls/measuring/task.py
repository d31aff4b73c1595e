"""The task of a call: one of a network's calls on its framework, as a child is handed it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from opperf.calls.format.values import call_from
from opperf.calls.measuring.casting import cast
from opperf.calls.measuring.description import describe_call
from opperf.planning.task import Task, fields_from

if TYPE_CHECKING:
    from collections.abc import Mapping

    from opperf.core.frameworks.variant import Variant
    from opperf.core.results.outcome import Subject
    from opperf.planning.task import Row

ROWS: tuple[Row, ...] = (("only", "forward"),)
"""A call has one form, and is made as it was captured, whichever phase of the network made it."""


@dataclass(frozen=True, kw_only=True)
class CallTask(Task):
    """A distinct call of a network; its operator is the framework's own, by its own name.

    `call` is the call as a calls file has it, `dtype` the element type of floating point to
    measure it in, None for the one that it was captured in.
    """

    program: ClassVar[str] = "opperf.calls.measuring.child"
    arm_program: ClassVar[str] = "opperf.calls.measuring.arm"

    rows: tuple[Row, ...] = ROWS
    size: str = ""
    call: Mapping[str, Any] = field(default_factory=dict)
    dtype: str | None = None

    def describe(self, variant: Variant) -> Subject:
        """Return what is measured, as its record states it."""
        del variant
        call = cast(call_from(self.call), self.dtype)
        return describe_call(call, self.framework, self.device, self.settings)

    def given(self) -> list[Any]:
        """Return what tells it from other calls of the operator."""
        subject = self.describe("only")
        return [subject.inputs, subject.attributes, subject.initializer]


def call_task_from(message: Mapping[str, Any]) -> CallTask:
    """Return the task a line stands for."""
    return CallTask(**fields_from(message))
