"""Running a plan: every operator in a child, every result handed on as it comes."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from opperf.core.configuration.settings import PLAIN
from opperf.core.errors import UsageError
from opperf.core.frameworks.registry import find_framework
from opperf.core.results.record import Outcome, assemble, now
from opperf.core.results.superseding import superseding
from opperf.description import describe
from opperf.isolation import get_ready, measure_isolated, row_of, weighed
from opperf.operators.registry import find_operator
from opperf.worker.handle import Limits, Worker

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from opperf.core.results.result import Result
    from opperf.worker.protocol import Place, Row, Task


@dataclass(frozen=True, kw_only=True)
class Labels:
    """What every record of a run carries about the run."""

    run_id: str | None = None
    command: str | None = None
    tags: tuple[str, ...] = ()
    session: int = 0


@dataclass
class Campaign:
    """A plan and the children that carry it out: one a framework and device, taking turns.

    Each has another one beside it for the memory pass, if memory is to be found as well.
    """

    tasks: Sequence[Task]
    limits: Limits = field(default_factory=Limits)
    variables: Mapping[str, str] = field(default_factory=dict)
    labels: Labels = field(default_factory=Labels)
    weigh: bool = True
    workers: dict[Place, Worker] = field(default_factory=dict)
    memory_workers: dict[Place, Worker] = field(default_factory=dict)

    @contextmanager
    def started(self) -> Iterator[Campaign]:
        """Start all children at once, wait for each, and end them however this ends.

        Raises:
            UsageError: a framework does not load or lacks the device.
        """
        for task in self.tasks:
            if task.place not in self.workers:
                worker = self.workers[task.place] = self.worker(task)
                self.memory_workers[task.place] = worker.for_memory()
        try:
            timed = not all(task.check_only for task in self.tasks)
            weighing = [*self.memory_workers.values()] if timed and self.weigh else []
            for worker in (*self.workers.values(), *weighing):
                worker.start()
            for worker in self.workers.values():
                worker.wait_until_ready()
            for worker in weighing:
                with suppress(UsageError):  # it is tried again where there is something to weigh
                    worker.wait_until_ready()
            yield self
        finally:
            for worker in (*self.workers.values(), *self.memory_workers.values()):
                worker.close()

    def worker(self, task: Task) -> Worker:
        """Return a handle for the framework of a task, on its device."""
        return Worker(
            framework=task.framework,
            device=task.device,
            threads=task.settings.threads,
            limits=self.limits,
            variables=self.variables,
            plain=task.settings.process == PLAIN,
            cores=task.settings.cores,
        )

    def packages(self) -> dict[str, str]:
        """Return the version of each framework, as its child found it."""
        return {
            framework: str(worker.environment.get("framework_version"))
            for (framework, *_), worker in self.workers.items()
        }

    def measure(self, task: Task, then: Task | None = None) -> list[Result]:
        """Measure one task, in a fresh child where the last one failed.

        While its memory is found, which takes no time of anything, what comes `then` is got ready.
        """
        worker = self.workers[task.place]
        worker.ensure()
        found = [*measured(worker, task)]
        if then is not None:
            self.workers[then.place].foresee(then)
        if self.weigh:
            found = weighed(found, task, self.memory_workers[task.place])
            if then is not None:
                get_ready(self.memory_workers[then.place], then)
        return [self.labeled(marked(result, task)) for result in found]

    def measure_again(self, task: Task, earlier: Mapping[Row, Result]) -> list[Result]:
        """Measure rows of a task once more, each in the place of its earlier result.

        The memory is as it was found then.
        """
        worker = self.workers[task.place]
        worker.ensure()
        return [
            self.labeled(superseding(result, earlier[row_of(result)]))
            for result in measured(worker, task)
        ]

    def labeled(self, result: Result) -> Result:
        """Return the result with the run's labels on it."""
        labels = self.labels
        return replace(
            result,
            run_id=labels.run_id,
            command=labels.command,
            tags=labels.tags,
            session=labels.session,
        )


def marked(result: Result, task: Task) -> Result:
    """Return the result, marked as a companion where its task is one."""
    if not task.companion:
        return result
    return replace(result, operator={**result.operator, "companion": True})


def measured(worker: Worker, task: Task) -> Iterator[Result]:
    """Yield a result for each row; should the child refuse the task, the run still goes on.

    The plan was checked, but memory that was free then may have been taken since.
    """
    operator = find_operator(task.operator)(task.inputs, size=task.size)
    framework = find_framework(task.framework)
    left = list(task.rows)
    try:
        for result in measure_isolated(worker, task, operator, framework):
            left.pop(0)
            yield result
    except UsageError as refusal:
        refused = Outcome(status="failed", reason=str(refusal))
        for fused, direction in left:
            subject = describe(operator, framework, task.device, task.settings, fused)
            yield assemble(subject, direction, refused, worker.environment, now())
