"""The jobs of a network: its distinct calls in both arms, and its whole step."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from msgspec import convert, to_builtins

from opperf.calls.capturing.description import direction_of
from opperf.calls.capturing.source import INFERENCE
from opperf.calls.capturing.task import network_task
from opperf.calls.format.values import call_from
from opperf.calls.measuring.casting import cast
from opperf.calls.measuring.description import call_key
from opperf.calls.measuring.filling import fill
from opperf.calls.measuring.plan import dtype_of, plan_calls
from opperf.calls.measuring.task import CallTask
from opperf.comparing.pairs.job import Job, save_drawn
from opperf.core.results.identity import digest
from opperf.core.results.pair import PairSubject
from opperf.core.results.parts import InputRecord, OperatorRecord

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from opperf.calls.capturing.source import Source
    from opperf.calls.format.model import CallsRecord
    from opperf.planning.selection import Selection
    from opperf.planning.task import Place, Task


@dataclass(frozen=True)
class CallJob(Job):
    """A distinct call, whose tensors the framework describes before they are drawn."""

    count: int = 1

    is_described: ClassVar[bool] = True
    is_kept: ClassVar[bool] = False

    @property
    def compiles(self) -> bool:
        """Whether its first call may take a compiler's time: an overload is compiled already."""
        return False

    def draw(self, path: Path, tensors: Sequence[Mapping[str, Any]]) -> None:
        """Write the elements of each tensor's memory, as a run of the calls would draw them."""
        seed = self.task.settings.seed
        save_drawn(
            path,
            {
                str(at): fill(
                    tensor["elements"], tensor["dtype"], tensor["values"],
                    np.random.default_rng((seed, at)),
                )
                for at, tensor in enumerate(tensors)
            },
            self.task.operator,
        )  # fmt: skip


@dataclass(frozen=True)
class StepJob(Job):
    """A network's whole step, which makes its own tensors."""

    has_control: ClassVar[bool] = False

    @property
    def compiles(self) -> bool:
        """Whether it may take a compiler's time: a network may be compiled."""
        return True

    def draw(self, path: Path, tensors: Sequence[Mapping[str, Any]]) -> None:
        """Draw nothing."""


@dataclass(frozen=True, kw_only=True)
class NetworkJobs:
    """A network's jobs: its calls, with how often a step makes each, and perhaps its step."""

    record: CallsRecord
    calls: Sequence[CallJob]
    steps: Sequence[StepJob]

    @property
    def all(self) -> list[Job]:
        """All jobs."""
        return [*self.calls, *self.steps]

    @property
    def direction(self) -> str:
        """Which direction a step is."""
        return direction_of(training=self.record.mode != INFERENCE)

    def counts_at(self, place: Place) -> dict[str, int]:
        """Return how often a step makes each call, by its job's key."""
        return {job.key: job.count for job in self.calls if job.task.place == place}

    @property
    def counts(self) -> dict[str, int]:
        """The same of all places."""
        return {job.key: job.count for job in self.calls}

    def step_at(self, place: Place) -> str | None:
        """Return the key of the step's own job, None where there is none."""
        return next((job.key for job in self.steps if job.task.place == place), None)

    @property
    def places(self) -> list[Place]:
        """The places at which the network is measured."""
        return [*dict.fromkeys(job.task.place for job in self.calls)]


def network_jobs(
    record: CallsRecord, selection: Selection, sources: Sequence[Source]
) -> NetworkJobs:
    """Return the jobs of a network's calls that a selection leaves, and of its step.

    Args:
        record: the calls.
        selection: which of them, where.
        sources: what the network is made from again, one a device; none where it cannot be.

    """
    dtype = dtype_of(selection)
    counts: Counter[str] = Counter()
    for call in record.calls:
        counts[call_key(cast(call_from(to_builtins(call)), dtype))] += call.count
    tasks = [
        task
        for task in plan_calls(record, selection, here=False)
        if isinstance(task, CallTask) and not task.companion
    ]
    by_device = {source.device: source for source in sources}
    places = dict.fromkeys(task.place for task in tasks)
    steps = [
        network_task(by_device[place[1]], record.framework, settings=settings)
        for place in places
        if place[1] in by_device
        for settings in [next(task.settings for task in tasks if task.place == place)]
    ]
    return NetworkJobs(
        record=record,
        calls=[
            CallJob(**parts(task), count=counts[call_key(cast(call_from(task.call), task.dtype))])
            for task in tasks
        ],
        steps=step_jobs(steps),
    )


def step_jobs(tasks: Sequence[Task]) -> list[StepJob]:
    """Return the jobs of whole steps of networks."""
    return [StepJob(**parts(task)) for task in tasks]


def parts(task: Task) -> dict[str, Any]:
    """Return what a job of a task's only row is made of, by the names of its fields."""
    row = task.rows[0]
    subject = task.describe("only")
    names = ("name", "category", "framework", "size", "fused", "device", "cache", "threads")
    named = {name: subject.operator[name] for name in names}
    values = digest(task.given()) if not isinstance(task, CallTask) else subject.initializer
    return {
        "task": task,
        "row": row,
        "operator": OperatorRecord(**named, direction=row[1]),
        "inputs": convert(subject.inputs, tuple[InputRecord, ...]),
        "attributes": dict(subject.attributes),
        "subject": PairSubject(kind=subject.kind, values=values),
    }
