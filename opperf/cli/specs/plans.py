"""What `--dry-run` prints of specifications' tests; nothing is made for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.cli.common.messages import say
from opperf.cli.running.estimates import print_listing, tell_model_estimate

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from opperf.cli.specs.programs import ProgramTask
    from opperf.specs.measuring.task import SpecTask


def print_spec_plan(tasks: Sequence[SpecTask], arguments: Namespace) -> int:
    """Print which tests would be measured on frameworks of this machine."""
    rows = [
        {
            "test": task.identifier,
            "model": task.operator,
            "metric": task.metric,
            "framework": task.framework,
            "device": task.device,
            "rows": arguments.sessions,
            "budget": "none" if task.check_only else f"{task.settings.budget:g} s",
        }
        for task in tasks
    ]
    print_listing(rows, arguments)
    tell_model_estimate(tasks, arguments, what="tests")
    return 0


def print_program_plan(tasks: Sequence[ProgramTask], arguments: Namespace) -> int:
    """Print which tests a program would carry out on which devices."""
    rows = [
        {
            "test": task.test.test.identifier,
            "device": task.device.identifier,
            "rows": arguments.sessions,
        }
        for task in tasks
    ]
    print_listing(rows, arguments)
    if not arguments.quiet:
        say(f"{len(rows) * arguments.sessions} run(s) of the program, as long as it takes")
    return 0
