"""The task of a network: its step, as a child is handed it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from opperf.networks.description import describe_step
from opperf.networks.request import request_from
from opperf.planning.task import Task, fields_from

if TYPE_CHECKING:
    from collections.abc import Mapping

    from opperf.core.configuration.settings import Settings
    from opperf.core.frameworks.variant import Variant
    from opperf.core.results.outcome import Subject
    from opperf.networks.request import ModelRequest


@dataclass(frozen=True, kw_only=True)
class ModelTask(Task):
    """A network's step; `request` is what was asked for, as JSON."""

    program: ClassVar[str] = "opperf.networks.measuring.child"
    arm_program: ClassVar[str] = "opperf.networks.measuring.arm"

    size: str = ""
    request: Mapping[str, Any] = field(default_factory=dict)

    def describe(self, variant: Variant) -> Subject:
        """Return what is measured, as its record states it."""
        del variant
        return describe_step(request_from(self.request), self.settings)

    def given(self) -> list[Any]:
        """Return what tells it from other steps of the network."""
        subject = self.describe("only")
        return [[*subject.inputs], subject.attributes, subject.initializer]


def model_task(request: ModelRequest, settings: Settings) -> ModelTask:
    """Return the task of what was asked for."""
    return ModelTask(
        operator=request.model,
        framework=request.entry.framework,
        device=request.device,
        rows=(("only", "forward" if request.forward_only else "forward_backward"),),
        settings=settings,
        request=request.to_mapping(),
    )


def model_task_from(message: Mapping[str, Any]) -> ModelTask:
    """Return the task a line stands for."""
    return ModelTask(**fields_from(message))
