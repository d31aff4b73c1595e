"""`opperf run --fleet`: a job for each operator."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from opperf.cli.fleet.asking import INTERRUPTED, ask_fleet, await_jobs
from opperf.cli.fleet.outcome import show_outcome
from opperf.cli.fleet.words import flags_of
from opperf.cli.messages import say
from opperf.cli.options import command_line
from opperf.planning.duration import estimate

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from opperf.cli.output import Output
    from opperf.core.configuration.options import Configuration
    from opperf.fleet.client.submission import JobRequest
    from opperf.planning.selection import Selection
    from opperf.planning.task import Task

LEASE_MARGIN = 4.0
"""How much longer than typical a job may take before its host is taken for lost."""


def run_on_fleet(
    arguments: Namespace,
    configuration: Configuration,
    selection: Selection,
    tasks: Sequence[Task],
    output: Output,
) -> int:
    """Have a fleet measure the tasks, wait, and show what it found."""

    def plan(on: Any) -> list[JobRequest]:
        return works_of(tasks, selection.text, flags_of(arguments, configuration), on)

    store, name = ask_fleet(arguments, command_line("run", arguments.given), plan)
    if arguments.detach:
        print(name)
        return 0
    if not output.quiet:
        say(f"submitted as {name}")
    if not await_jobs(store, name, quiet=output.quiet):
        return INTERRUPTED
    return show_outcome(store, name, output, Path(configuration["runs_dir"].value))


def works_of(
    tasks: Sequence[Task], text: str, flags: Sequence[str], on: tuple[tuple[str, str], ...]
) -> list[JobRequest]:
    """Return a job for each operator, with all its tasks: frameworks stay side by side."""
    from opperf.fleet.client.submission import JobRequest
    from opperf.fleet.jobs.requirement import HostRequirement

    by_operator: dict[str, list[Task]] = {}
    for task in tasks:
        by_operator.setdefault(task.operator, []).append(task)
    works = []
    for operator, own in by_operator.items():
        chosen = f"name={operator} and ({text})" if text.strip() else f"name={operator}"
        frameworks = tuple(dict.fromkeys(task.framework for task in own))
        named = [] if any(flag.startswith("--framework=") for flag in flags) else [
            f"--framework={','.join(frameworks)}"
        ]  # fmt: skip
        words = ("run", "-k", chosen, *flags, *named, "--quiet")
        requirement = HostRequirement(on=on, frameworks=frameworks)
        works.append(
            JobRequest(operator, words, requirement, LEASE_MARGIN * estimate(own, {}).seconds)
        )
    return works
