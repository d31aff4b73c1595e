"""The measuring child's loop: ``python -m opperf.child``, started by `opperf.worker.handle`.

It needs the standard library, NumPy, opperf and its framework, nothing else.
"""

from __future__ import annotations

import gc
import os
import sys
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.configuration.settings import LAID_OUT
from opperf.core.environment import collect
from opperf.core.errors import OpperfError, UsageError
from opperf.core.frameworks.registry import find_framework
from opperf.core.machine.affinity import pin
from opperf.core.memory.heap import idle_bytes, touch_heap
from opperf.operators.registry import find_operator
from opperf.path import Attempt
from opperf.worker.limits import die_with_parent, keep_to_itself, let_crashes_show, limit_memory
from opperf.worker.protocol import decode, encode, task_from

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from opperf.core.frameworks.framework import Framework
    from opperf.worker.protocol import Task


def main(arguments: Sequence[str]) -> None:
    """Measure task by task until told no more."""
    serve(arguments, Measurer())


def serve(
    arguments: Sequence[str],
    carry_out: Callable[[Mapping[str, Any], Framework, Answer], None],
    *,
    timed: bool = True,
) -> None:
    """Load the framework, say what was found, then carry out what the parent asks for.

    Where nothing is `timed` the process runs wherever there is room, and its heap begins empty.
    """
    name, device, threads, requests, replies, lifeline, memory, cores, process = arguments
    keep_to_itself((int(requests), int(replies), int(lifeline)))
    die_with_parent(int(lifeline))
    framework = find_framework(name)
    limit_memory(int(memory) or None)
    laid_out = timed and process == LAID_OUT
    if laid_out:
        touch_heap()
    if timed and int(cores):
        pin(int(cores))
    elif laid_out and device == "cpu":
        pin(int(threads) + framework.threads_beside)
    answer = Answer(int(replies))
    try:
        framework.load(int(threads))
        framework.device(device)
    except (OpperfError, ImportError, OSError) as error:
        answer("refused", reason=refusal(name, error))
        return
    let_crashes_show()
    gc.freeze()  # what the framework has made stays, and need not be gone through after each task
    answer("ready", environment=collect(framework.facts()))
    for message in messages(int(requests)):
        carry_out(message, framework, answer)


def refusal(name: str, error: Exception) -> str:
    """Return one line that says why the framework cannot be measured."""
    if isinstance(error, OpperfError):
        return str(error)
    lines = str(error).splitlines() or [type(error).__name__]
    return f"framework {name!r} cannot be imported: {lines[0]}"


def messages(requests: int) -> Iterator[dict[str, Any]]:
    """Yield what the parent sends; between two, sleep in the kernel."""
    with os.fdopen(requests, "rb") as lines:
        for line in lines:
            yield decode(line)


@dataclass
class Measurer:
    """Measures a task, and draws what the next one needs while the parent does something else."""

    foreseen: tuple[Task, Attempt] | None = None

    def __call__(self, message: Mapping[str, Any], framework: Framework, answer: Answer) -> None:
        """Carry out a task, or foresee one, which has no answer."""
        if "foresee" in message:
            task = task_from(message["foresee"])
            attempt = attempt_at(task, framework)
            announce_foresight(task, attempt, answer)
            attempt.foresee(task.rows)
            self.foreseen = task, attempt
            return
        self.measure(task_from(message), framework, answer)
        # What is left belongs to the framework, whose compilers leave 100 ms of it to go through.
        gc.collect()
        gc.freeze()
        answer("done", idle=idle_bytes())

    def measure(self, task: Task, framework: Framework, answer: Answer) -> None:
        """Measure a task's rows, announcing each as it begins and answering as it ends."""
        foreseen, self.foreseen = self.foreseen, None
        if foreseen is None or foreseen[0] != task:
            foreseen = task, attempt_at(task, framework)
        _, attempt = foreseen
        announce = partial(announce_row, attempt, answer)
        try:
            for result in attempt.results(task.rows, announce):
                answer("result", result=result.to_mapping())
        except UsageError as error:
            answer("refused", reason=str(error))


def attempt_at(task: Task, framework: Framework) -> Attempt:
    """Return the task's operator on the framework, nothing of it drawn yet."""
    operator = find_operator(task.operator)(task.inputs, size=task.size)
    return Attempt(operator, framework, task.device, task.settings, check_only=task.check_only)


def announce_foresight(task: Task, attempt: Attempt, answer: Answer) -> None:
    """Say that a task is foreseen, and whether that may take the time of loading a compiler."""
    answer("foresight", compiles=any(attempt.compiles(fused) for fused, _ in task.rows))


def announce_row(attempt: Attempt, answer: Answer, fused: bool | None, direction: str) -> None:
    """Say that a row begins, and whether it may take a compiler's time."""
    answer("row", fused=fused, direction=direction, compiles=attempt.compiles(fused))


class Answer:
    """Writes events to the parent."""

    def __init__(self, replies: int) -> None:
        self.replies = replies

    def __call__(self, event: str, **values: object) -> None:
        """Send one event, whole."""
        line = memoryview(encode(event, **values))
        while line:
            line = line[os.write(self.replies, line) :]


if __name__ == "__main__":
    main(sys.argv[1:])
