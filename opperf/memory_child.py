"""The child of the memory pass, ``python -m opperf.memory_child``, run as `opperf.child` is.

It finds what a call takes and measures no time. Its heap is set up so that freed memory is seen to
leave (`opperf.worker.handle.MEMORY`), and it forks to see what is written: a child that measures
times must feel neither.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from opperf.child import serve
from opperf.operators.registry import find_operator
from opperf.path import Attempt
from opperf.worker.protocol import task_from

if TYPE_CHECKING:
    from collections.abc import Mapping

    from opperf.child import Answer
    from opperf.core.framework import Framework


def weigh(message: Mapping[str, Any], framework: Framework, answer: Answer) -> None:
    """Answer with what a call takes of the memory, for each row of a task."""
    task = task_from(message)
    operator = find_operator(task.operator)(task.inputs, size=task.size)
    attempt = Attempt(operator, framework, task.device, replace(task.settings, cache="hot"))
    for fused, direction in task.rows:
        with suppress(Exception):  # it was measured, so that this is about lack of memory at most
            footprint = attempt.workload(fused).footprint
            answer("memory", fused=fused, direction=direction, memory=footprint(direction))
    answer("done")


if __name__ == "__main__":
    serve(sys.argv[1:], weigh, heap=0)
