"""Attempt one row in a process of its own, whose signals MXNet does not catch; say how it ends."""

import sys

from opperf.core.configuration.settings import Settings
from opperf.core.frameworks.registry import find_framework
from opperf.operators.registry import find_operator
from opperf.path import Attempt
from opperf.worker.limits import let_crashes_show

if __name__ == "__main__":
    name, framework, dtype, size, direction, fused = sys.argv[1:]
    front = find_framework(framework)
    front.load(1)
    let_crashes_show()
    operator = find_operator(name)({"dtype": dtype}, size=size)
    attempt = Attempt(operator, front, "cpu", Settings(), check_only=True, obey_limitations=False)
    variant = {"True": True, "False": False, "None": None}[fused]
    outcome = attempt.outcome(variant, direction)
    sys.stdout.write(f"{outcome.status} {outcome.reason}")
