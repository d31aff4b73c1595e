"""What parent and child say to each other: one JSON object a line, tasks down, events up."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from opperf.core.configuration.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Mapping

Row = tuple["bool | None", str]
"""A variant (fused, unfused or the only one) and a direction."""
Place = tuple[str, str, int]
"""A framework, a device and a number of threads: what one child measures."""


class Request(Protocol):
    """Whatever a child is asked to do."""

    def to_json(self) -> str:
        """Return it as one line."""
        ...


@dataclass(frozen=True, kw_only=True)
class Task:
    """One operator on one framework: what a child is asked to measure, row by row.

    `inputs` is what differs from the defaults of `size`. A `companion` was not asked for: it is
    measured for the sake of a fused operator.
    """

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
        """Where it is measured."""
        return self.framework, self.device, self.settings.threads

    def to_json(self) -> str:
        """Return the task as one line."""
        return json.dumps(asdict(self), allow_nan=False)


@dataclass(frozen=True)
class Foresight:
    """A task to come, which a child gets ready for."""

    task: Task

    def to_json(self) -> str:
        """Return it as one line."""
        return json.dumps({"foresee": asdict(self.task)}, allow_nan=False)


def task_from(message: Mapping[str, Any]) -> Task:
    """Return the task a line stands for."""
    rows = tuple((fused, direction) for fused, direction in message["rows"])
    return Task(**{**message, "rows": rows, "settings": Settings(**message["settings"])})


def encode(event: str, **values: object) -> bytes:
    """Return an event as one line."""
    return json.dumps({"event": event, **values}, allow_nan=False).encode() + b"\n"


def decode(line: bytes) -> dict[str, Any]:
    """Return the message that a line stands for."""
    message: dict[str, Any] = json.loads(line)
    return message
