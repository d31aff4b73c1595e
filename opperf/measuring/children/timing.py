"""The measuring child's loop, started by `opperf.measuring.worker.handle`.

It needs the standard library, NumPy, opperf and its framework, nothing else.
"""

from __future__ import annotations

import gc
import os
import traceback
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any

from opperf.core.configuration.settings import LAID_OUT
from opperf.core.environment import collect
from opperf.core.errors import OpperfError, UsageError
from opperf.core.frameworks.registry import find_framework
from opperf.core.machine.affinity import pin
from opperf.core.memory.heap import idle_bytes, touch_heap
from opperf.measuring.attempt import Attempt
from opperf.measuring.worker.forks import end_forks_that_return
from opperf.measuring.worker.limits import (
    die_with_parent,
    keep_below,
    keep_to_itself,
    let_crashes_show,
    limit_memory,
)
from opperf.measuring.worker.protocol import encode, request_from
from opperf.measuring.worker.state import changes, state_of
from opperf.planning.task import operator_of, task_from

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from opperf.core.frameworks.framework import Framework
    from opperf.core.frameworks.variant import Variant
    from opperf.planning.task import Task


def main(arguments: Sequence[str]) -> None:
    """Measure task by task until told no more."""
    serve(arguments, Measurer())


def serve(
    arguments: Sequence[str],
    carry_out: Callable[[Mapping[str, Any], Framework, Answer], None],
    *,
    timing: bool = True,
) -> None:
    """Load the framework, say what was found, then carry out what the parent asks for.

    Where nothing is `timing` the process runs wherever there is room, and its heap begins empty.
    """
    name, device, threads, requests, replies, lifeline, memory, cores, process = arguments
    pipes = keep_to_itself((int(requests), int(replies), int(lifeline)))
    keep_below()
    die_with_parent(pipes[2])
    end_forks_that_return(pipes)
    answer = Answer(pipes[1])
    asked = messages(pipes[0], answer)
    next(asked)
    framework = find_framework(name)
    limit_memory(int(memory) or None)
    laid_out = timing and process == LAID_OUT
    if laid_out:
        touch_heap()
    if timing and int(cores):
        pin(int(cores))
    elif laid_out and device == "cpu":
        pin(int(threads) + framework.threads_beside)
    if not load(framework, device, int(threads), answer):
        return
    let_crashes_show()
    gc.freeze()  # what the framework has made stays, and need not be gone through after each task
    answer("loaded", environment=collect(framework.facts()))
    for message in asked:
        carry_out(message, framework, answer)


def load(framework: Framework, device: str, threads: int, answer: Answer) -> bool:
    """Load the framework for a device, or say why that cannot be; return whether it could."""
    try:
        framework.load(threads)
        framework.device(device)
    except OpperfError as error:
        answer("refused", reason=str(error))
    except Exception as error:  # noqa: BLE001 - whatever an import raises
        traceback.print_exc()
        answer(
            "broken", reason=f"framework {framework.name!r} cannot be imported: {error_text(error)}"
        )
    else:
        return True
    return False


def error_text(error: Exception) -> str:
    """Return the first line of an error, or its kind where it says nothing."""
    return (str(error).splitlines() or [type(error).__name__])[0]


def messages(requests: int, answer: Answer) -> Iterator[dict[str, Any]]:
    """Yield what the parent sends, each answered with its own token; between two, sleep."""
    with os.fdopen(requests, "rb") as lines:
        for line in lines:
            answer.token, message = request_from(line)
            yield message


@dataclass
class Measurer:
    """Measures a task, and draws what the next one needs while the parent does something else.

    `state` is what the process was before the first task.
    """

    next_task: tuple[Task, Attempt] | None = None
    state: dict[str, object] = field(default_factory=dict)

    def __call__(self, message: Mapping[str, Any], framework: Framework, answer: Answer) -> None:
        """Carry out a task, or prefetch one, which has no answer."""
        if not self.state:
            self.state = state_of(framework.facts())
        if "prefetch" in message:
            task = task_from(message["prefetch"])
            attempt = attempt_at(task, framework)
            announce_prefetch(task, attempt, answer)
            attempt.prefetch(task.rows)
            self.next_task = task, attempt
            return
        self.measure(task_from(message), framework, answer)
        # What is left belongs to the framework, whose compilers leave 100 ms of it to go through.
        gc.collect()
        gc.freeze()
        changed = changes(self.state, state_of(framework.facts()))
        answer("done", idle=idle_bytes(), changed=changed)

    def measure(self, task: Task, framework: Framework, answer: Answer) -> None:
        """Measure a task's rows, announcing each as it begins and answering as it ends."""
        prefetched, self.next_task = self.next_task, None
        if prefetched is None or prefetched[0] != task:
            prefetched = task, attempt_at(task, framework)
        _, attempt = prefetched
        numbers = count()

        def announce(variant: Variant, direction: str) -> None:  # noqa: ARG001 - rows in order
            answer("row", row=next(numbers), compiles=attempt.compiles(variant))

        try:
            for row, found in enumerate(attempt.records(task.rows, announce)):
                answer("result", row=row, result=found)
        except UsageError as error:
            answer("refused", reason=str(error))


def attempt_at(task: Task, framework: Framework) -> Attempt:
    """Return the task's operator on the framework, nothing of it drawn yet."""
    operator = operator_of(task)
    return Attempt(operator, framework, task.device, task.settings, check_only=task.check_only)


def announce_prefetch(task: Task, attempt: Attempt, answer: Answer) -> None:
    """Say that a task is prefetched, and whether that may take the time of loading a compiler."""
    answer("prefetched", compiles=any(attempt.compiles(variant) for variant, _ in task.rows))


class Answer:
    """Writes events to the parent, with the token of what it has asked for last.

    A process that was forked from this one says nothing, and ends.
    """

    def __init__(self, replies: int) -> None:
        self.replies = replies
        self.token = ""
        self.process = os.getpid()

    def __call__(self, event: str, **values: object) -> None:
        """Send one event, whole."""
        if os.getpid() != self.process:
            os._exit(0)
        line = memoryview(encode(self.token, event, **values))
        while line:
            line = line[os.write(self.replies, line) :]
