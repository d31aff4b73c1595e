"""The task of a whole network: its step, end to end, as an arm's child is handed it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from opperf.calls.capturing.description import direction_of, network_subject
from opperf.calls.capturing.source import TRAINING, Source
from opperf.planning.task import Task, fields_from

if TYPE_CHECKING:
    from collections.abc import Mapping

    from opperf.core.frameworks.variant import Variant
    from opperf.core.results.outcome import Subject

END_TO_END = "end to end"


@dataclass(frozen=True, kw_only=True)
class NetworkTask(Task):
    """A network's whole step; `source` is what it is made from, as `Source` has it."""

    arm_program: ClassVar[str] = "opperf.calls.capturing.arm"

    size: str = ""
    source: Mapping[str, Any] = field(default_factory=dict)

    def describe(self, variant: Variant) -> Subject:
        """Return what is measured, as its record states it."""
        del variant
        return network_subject(
            self.operator,
            END_TO_END,
            {name: self.source.get(name) for name in ("mode", "batch")},
            {"framework": self.framework, "device": self.device},
            self.settings,
        )

    def given(self) -> list[Any]:
        """Return what tells it from other networks of the name."""
        return [dict(self.source)]


def network_task(source: Source, framework: str, **others: Any) -> NetworkTask:
    """Return the task of a network's step."""
    direction = direction_of(training=source.mode == TRAINING)
    return NetworkTask(
        operator=source.name,
        framework=framework,
        device=source.device,
        rows=(("only", direction),),
        source=dict(vars(source)),
        **others,
    )


def network_task_from(message: Mapping[str, Any]) -> NetworkTask:
    """Return the task a line stands for."""
    return NetworkTask(**fields_from(message))
