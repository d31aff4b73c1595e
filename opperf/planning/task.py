"""The task: one operator on one framework, as a plan lists it and a child is handed it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from opperf.core.configuration.settings import Settings
from opperf.core.frameworks.registry import find_framework
from opperf.core.frameworks.variant import Variant
from opperf.declaring.description import describe, describe_inputs, initializer_name
from opperf.declaring.registry import find_operator

if TYPE_CHECKING:
    from collections.abc import Mapping

    from opperf.core.results.outcome import Subject
    from opperf.declaring.declaration import Declaration

Row = tuple[Variant, str]
"""A variant and a direction."""
Place = tuple[str, str, int]
"""A framework, a device and a number of threads: what one child measures."""


@dataclass(frozen=True, kw_only=True)
class Task:
    """One operator on one framework: what a child is asked to measure, row by row.

    `inputs` is what differs from the defaults of `size`. A `companion` was not asked for: it is
    measured for the sake of a fused operator. `program` is the module of the child that measures
    it, `arm_program` that of one that measures it in turns with another arm, `memory_program` that
    of one that finds the memory it takes.
    """

    program: ClassVar[str] = "opperf.measuring.children.timing"
    arm_program: ClassVar[str] = "opperf.measuring.children.arm"
    memory_program: ClassVar[str] = "opperf.measuring.children.memory"

    operator: str
    framework: str
    device: str = "cpu"
    size: str = "typical"
    inputs: Mapping[str, Any] = field(default_factory=dict)
    rows: tuple[Row, ...]
    settings: Settings = field(default_factory=Settings)
    check_only: bool = False
    companion: bool = False

    @property
    def place(self) -> Place:
        """The framework, device and threads."""
        return self.framework, self.device, self.settings.threads

    def describe(self, variant: Variant) -> Subject:
        """Return what a row measures, as its record states it, without importing a framework."""
        framework = find_framework(self.framework)
        return describe(operator_of(self), framework, self.device, self.settings, variant)

    def given(self) -> list[Any]:
        """Return what tells it from other tasks of its operator: inputs, attributes, values."""
        operator = operator_of(self)
        return [describe_inputs(operator), operator.keywords, initializer_name(operator)]

    def to_json(self) -> str:
        """Return the task as one line."""
        return json.dumps(asdict(self), allow_nan=False)


def task_from(message: Mapping[str, Any]) -> Task:
    """Return the task a line stands for."""
    return Task(**fields_from(message))


def fields_from(message: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a task of any kind from its line."""
    rows = tuple((variant, direction) for variant, direction in message["rows"])
    return {**message, "rows": rows, "settings": Settings(**message["settings"])}


def operator_of(task: Task) -> Declaration:
    """Return the operator of a task, on the task's inputs."""
    return find_operator(task.operator)(task.inputs, size=task.size)
