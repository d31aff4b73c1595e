"""Attempt rows in a process of its own, whose signals MXNet does not catch; say how each ends.

A row is a line of JSON on standard input, its outcome one on standard output.
"""

from __future__ import annotations

import json
import os
import sys
from typing import IO, Any

from opperf.core.configuration.settings import Settings
from opperf.core.frameworks.registry import find_framework
from opperf.declaring.registry import find_operator
from opperf.measuring.attempt import Attempt
from opperf.measuring.worker.limits import let_crashes_show


def serve(answers: IO[str]) -> None:
    """Answer each line until there are no more; rows of one contract share what is drawn."""
    held: tuple[object, Attempt] | None = None
    for line in sys.stdin:
        row = json.loads(line)
        direction = row.pop("direction")
        if held is None or held[0] != row:
            held = None  # its tensors go first
            held = (row, attempt_at(row))
        outcome = held[1].outcome(row["variant"], direction)
        answers.write(json.dumps([outcome.status, outcome.reason]) + "\n")
        answers.flush()


def attempt_at(row: dict[str, Any]) -> Attempt:
    """Return an attempt that tries what is known not to be possible, too."""
    front = find_framework(row["framework"])
    front.load(1)
    let_crashes_show()
    operator = find_operator(row["operator"])({"dtype": row["dtype"]}, size=row["size"])
    return Attempt(operator, front, "cpu", Settings(), check_only=True, obey_limitations=False)


if __name__ == "__main__":
    with os.fdopen(os.dup(1), "w") as answers:
        os.dup2(2, 1)  # what a framework prints is no answer
        serve(answers)
