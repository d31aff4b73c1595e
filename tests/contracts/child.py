"""Attempt rows in a process of its own, whose signals MXNet does not catch; say how each ends.

A row is a line of JSON on standard input, its outcome one on standard output.
"""

from __future__ import annotations

import json
import os
import sys
from typing import IO

from opperf.core.configuration.settings import Settings
from opperf.core.frameworks.registry import find_framework
from opperf.operators.registry import find_operator
from opperf.path import Attempt
from opperf.worker.limits import let_crashes_show


def serve(answers: IO[str]) -> None:
    """Answer each line until there are no more."""
    for line in sys.stdin:
        row = json.loads(line)
        front = find_framework(row["framework"])
        front.load(1)
        let_crashes_show()
        operator = find_operator(row["operator"])({"dtype": row["dtype"]}, size=row["size"])
        attempt = Attempt(
            operator, front, "cpu", Settings(), check_only=True, obey_limitations=False
        )
        outcome = attempt.outcome(row["fused"], row["direction"])
        answers.write(json.dumps([outcome.status, outcome.reason]) + "\n")
        answers.flush()


if __name__ == "__main__":
    with os.fdopen(os.dup(1), "w") as answers:
        os.dup2(2, 1)  # what a framework prints is no answer
        serve(answers)
