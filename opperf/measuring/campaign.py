"""Running a plan: every operator in a child process, every result yielded at once."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from msgspec import structs

from opperf.core.configuration.settings import PLAIN
from opperf.core.environment import collect
from opperf.core.errors import LoadingError, OpperfError, UsageError
from opperf.core.results.outcome import Outcome
from opperf.core.results.status import TROUBLE
from opperf.core.results.superseding import superseding
from opperf.measuring.attachment import attach_memory, get_ready, row_of
from opperf.measuring.isolation import attempt
from opperf.measuring.untimed import untimed_results
from opperf.measuring.worker.handle import Limits, Worker

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from opperf.core.results.result import Result
    from opperf.planning.task import Place, Row, Task


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

    Each has another one beside it for the memory pass, if memory is to be found as well. Where a
    framework is `broken`, its rows say so and those of the others are measured.
    """

    tasks: Sequence[Task]
    limits: Limits = field(default_factory=Limits)
    variables: Mapping[str, str] = field(default_factory=dict)
    labels: Labels = field(default_factory=Labels)
    weigh: bool = True
    workers: dict[Place, Worker] = field(default_factory=dict)
    memory_workers: dict[Place, Worker] = field(default_factory=dict)
    broken: dict[Place, LoadingError] = field(default_factory=dict)

    @contextmanager
    def children(self) -> Iterator[Campaign]:
        """Start all children at once, wait for each, and end them however this ends.

        Raises:
            UsageError: no framework loads, or one lacks the device.
        """
        for task in self.tasks:
            if task.place not in self.workers:
                worker = self.workers[task.place] = self.worker(task)
                self.memory_workers[task.place] = worker.for_memory()
        everyone = [*self.workers.values(), *self.memory_workers.values()]
        for worker in everyone:
            worker.others = [other for other in everyone if other is not worker]
        try:
            timed = not all(task.check_only for task in self.tasks)
            weighing = [*self.memory_workers.values()] if timed and self.weigh else []
            for worker in (*self.workers.values(), *weighing):
                worker.start()
            for place in self.workers:
                self.wait_for(place)
            if self.broken.keys() == self.workers.keys() and self.broken:
                raise next(iter(self.broken.values()))
            for worker in weighing:
                with suppress(UsageError):  # it is tried again where there is something to weigh
                    worker.wait_until_ready()
            yield self
        finally:
            for worker in everyone:
                worker.close()

    def wait_for(self, place: Place) -> None:
        """Wait for a child to load its framework, and take down where it cannot."""
        try:
            self.workers[place].wait_until_ready()
        except LoadingError as error:
            self.broken[place] = error

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
            module=task.program,
            memory_module=task.memory_program,
        )

    def packages(self) -> dict[str, str]:
        """Return the version of each framework, as its child found it."""
        return {
            framework: str(worker.environment.get("framework_version"))
            for (framework, *_), worker in self.workers.items()
            if worker.environment
        }

    def measure(self, task: Task, then: Task | None = None) -> list[Result]:
        """Measure one task, in a fresh child where the last one failed.

        While its memory is found, which takes no time of anything, what comes `then` is got ready.
        """
        if task.place in self.broken:
            found = untimed_results(task, task.rows, failure(self.broken[task.place]), collect())
        else:
            found = measure_task(self.workers[task.place], task)
        if then is not None:
            self.workers[then.place].prefetch(then)
        if self.weigh:
            found = attach_memory(found, task, self.memory_workers[task.place])
            if then is not None:
                get_ready(self.memory_workers[then.place], then)
        return [self.label(mark_companion(result, task)) for result in found]

    def measure_again(self, task: Task, earlier: Mapping[Row, Result]) -> list[Result]:
        """Measure rows of a task once more, each in the place of its earlier result.

        The memory is as it was found then.
        """
        return [
            self.label(superseding(result, earlier[row_of(result)]))
            for result in measure_task(self.workers[task.place], task)
        ]

    def label(self, result: Result) -> Result:
        """Return the result with the run's labels on it."""
        labels = self.labels
        return structs.replace(
            result,
            run_id=labels.run_id,
            command=labels.command,
            tags=labels.tags,
            session=labels.session,
        )


def mark_companion(result: Result, task: Task) -> Result:
    """Return the result, marked as a companion where its task is one."""
    if not task.companion:
        return result
    return structs.replace(result, operator=structs.replace(result.operator, companion=True))


def measure_task(worker: Worker, task: Task) -> list[Result]:
    """Return a result for each row, in their order; whatever goes wrong, the run still goes on.

    A row that fails where another operator was before is tried once more in a fresh process, with
    the rows that follow it: what ruined the process must not be laid on the next one.

    A child may refuse its task: the plan was checked, but memory that was free then may have been
    taken since. It may not start any more, or do what nobody has thought of.
    """
    results: list[Result] = []
    try:
        while left := task.rows[len(results) :]:
            worker.ensure()
            is_fresh = not worker.used
            try:
                for result in attempt(worker, replace(task, rows=left)):
                    if result.status in TROUBLE and not is_fresh:
                        worker.stop()
                        break
                    results.append(result)
            except UsageError:
                if is_fresh:
                    raise
    except Exception as error:  # noqa: BLE001 - see above
        worker.stop()
        facts = worker.environment or collect()
        results += untimed_results(task, task.rows[len(results) :], failure(error), facts)
    return results


def failure(error: Exception) -> Outcome:
    """Return the outcome of rows that an error of the harness or of a child leaves without one."""
    status = error.status if isinstance(error, LoadingError) else "failed"
    reason = str(error) if isinstance(error, OpperfError) else f"{type(error).__name__}: {error}"
    return Outcome(status=status, reason=reason)
