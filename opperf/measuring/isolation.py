"""One task in a child, whatever becomes of it: a row is a result, never a loss."""

from __future__ import annotations

import signal
from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING, Any

from msgspec import structs

from opperf.core.errors import UsageError, WorkerError
from opperf.core.frameworks.registry import find_framework
from opperf.core.frameworks.variant import as_recorded
from opperf.core.results import record
from opperf.core.results.outcome import Outcome
from opperf.core.results.reading import from_mapping
from opperf.core.results.status import TROUBLE
from opperf.measuring.untimed import untimed_results
from opperf.measuring.worker.endings import Ended, Hung, TooLarge
from opperf.measuring.worker.protocol import WORKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opperf.core.results.result import Result
    from opperf.measuring.worker.handle import Worker
    from opperf.planning.task import Task

ABORTED_ALLOCATION = b"bad_alloc"
WORN_PART = 4
"""A child whose heap holds idle one in so many of the bytes that it may take is replaced."""


def attempt(worker: Worker, task: Task) -> Iterator[Result]:
    """Yield a result for each row of the task, whatever becomes of the child.

    The worker is stopped after any trouble, where an operator has changed the process, and where
    the heap has worn out: the next operator must not run out of memory for that.

    Raises:
        UsageError: the child refuses the task, because its tensors do not fit, say.
    """
    rows = Rows(task)
    troubled = False
    try:
        for message in worker.run(task):
            if message["event"] == "refused":
                worker.stop()
                raise UsageError(message["reason"])
            result = rows.take(message)
            if result is not None:
                result = with_last_words(result, worker)
                troubled = troubled or result.status in TROUBLE or is_refused(result, task)
                yield result
            elif message["event"] == "done":
                worn = WORN_PART * message["idle"] > (worker.limits.memory or inf)
                troubled = troubled or worn or bool(message["changed"])
    except WorkerError as ending:
        outcome = outcome_of(ending, worker)
        worker.stop()
        skipped = Outcome(status="skipped", reason=f"not tried after {outcome.status}")
        left, facts, at = task.rows[rows.answered :], worker.environment, rows.started_at
        yield from untimed_results(task, left[:1], outcome, facts, at)
        yield from untimed_results(task, left[1:], skipped, facts, at)
    if troubled:
        worker.stop()


def is_refused(result: Result, task: Task) -> bool:
    """Return whether a library has refused a row for want of an instruction set.

    MXNet's oneDNN leaves its process such that one of the next rows may hang or die.
    """
    needs, reason = find_framework(task.framework).requirements, result.reason or ""
    return result.status == "unsupported" and any(each.words in reason for each in needs)


@dataclass
class Rows:
    """The rows of a task as the child announces and answers them, one after the other."""

    task: Task
    announced: int = 0
    answered: int = 0
    started_at: str = field(default_factory=record.now)

    def take(self, message: Mapping[str, Any]) -> Result | None:
        """Return the result that a message holds, if it does.

        Raises:
            WorkerError: it is of another row than the one in hand, or rows are missing.
        """
        event = message["event"]
        if event == "row" and message["row"] == self.announced == self.answered:
            self.announced += 1
            self.started_at = record.now()
            return None
        if event == "result" and message["row"] == self.answered == self.announced - 1:
            result = self.result(message["result"])
            self.answered += 1
            return result
        if event == "done" and self.answered == len(self.task.rows):
            return None
        if event == "prefetched" and not self.announced:
            return None
        if event == WORKING and self.answered == self.announced - 1:
            return None
        raise WorkerError(
            f"the measuring process said {event!r} of row {message.get('row', '-')} "
            f"after {self.announced} of {len(self.task.rows)} had begun and {self.answered} ended"
        )

    def result(self, fields: object) -> Result:
        """Return the result of the row in hand.

        Raises:
            WorkerError: it is none, or another row's.
        """
        try:
            found = from_mapping(fields)
        except UsageError as error:
            raise WorkerError(f"the measuring process sent no result: {error}") from error
        variant, direction = self.task.rows[self.answered]
        place = self.task.operator, self.task.framework, self.task.device
        expected = (*place, as_recorded(variant), direction)
        names = ("name", "framework", "device", "fused", "direction")
        if tuple(getattr(found.operator, name) for name in names) != expected:
            raise WorkerError(f"the measuring process sent a result of {found.operator.name}")
        return found


def with_last_words(result: Result, worker: Worker) -> Result:
    """Return the result, with what the child printed last where that may explain a failure."""
    if result.status not in TROUBLE:
        return result
    return structs.replace(result, stderr=worker.log.tail())


def outcome_of(ending: WorkerError, worker: Worker) -> Outcome:
    """Return the status of a row whose child hung or died, with what it printed last."""
    said = worker.log.tail()
    if isinstance(ending, Hung):
        return Outcome(status="timeout", reason=str(ending), stderr=said)
    if isinstance(ending, TooLarge):
        return Outcome(status="out_of_memory", reason=str(ending), stderr=said)
    if ABORTED_ALLOCATION in worker.log.content():
        return Outcome(status="out_of_memory", reason="std::bad_alloc", stderr=said)
    status = ending.status if isinstance(ending, Ended) else 0
    name = signal_name(-status) if status < 0 else None
    reason = f"killed by {name}" if name else str(ending)
    return Outcome(status="crashed", reason=reason, signal=name, stderr=said)


def signal_name(number: int) -> str:
    """Return a signal's name, or its number where it has none."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
