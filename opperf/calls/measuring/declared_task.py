"""The task of a call on another framework than its own: the declaration that it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from opperf.planning.task import Task, fields_from

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, kw_only=True)
class DeclaredTask(Task):
    """A declared operator on the tensors and attributes of a network's call.

    `dense` names the call's arguments that lie in memory otherwise than the declaration's tensors,
    all of which are contiguous.
    """

    program: ClassVar[str] = "opperf.calls.measuring.declared_child"

    dense: tuple[str, ...] = ()


def declared_task_from(message: Mapping[str, Any]) -> DeclaredTask:
    """Return the task a line stands for."""
    return DeclaredTask(**{**fields_from(message), "dense": tuple(message["dense"])})
