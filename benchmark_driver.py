"""Measure every operator: ``python benchmark_driver.py`` is ``opperf run``, with the same verbs.

With ``--task-name`` or ``--list-tasks`` it is ``opperf task``: a script, its log and its metrics.
"""

import sys

from opperf.__main__ import main

TASK_FLAGS = ("--task-name", "--list-tasks")


def default_verb(arguments: list[str]) -> str:
    """Return the verb of arguments that name none."""
    flags = (argument.partition("=")[0] for argument in arguments)
    return "task" if any(flag in TASK_FLAGS for flag in flags) else "run"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], default_verb=default_verb(sys.argv[1:])))
