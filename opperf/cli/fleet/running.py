"""`opperf run --fleet` and `opperf model --fleet`: a job for each operator or network."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from opperf.cli.common.exit_codes import INTERRUPTED
from opperf.cli.common.options import command_line, configuration_of
from opperf.cli.fleet.asking import ask_fleet, await_jobs
from opperf.cli.fleet.outcome import show_outcome
from opperf.cli.fleet.words import flags_of
from opperf.cli.running.estimates import model_seconds
from opperf.planning.duration import estimate

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from opperf.cli.common.output import Output
    from opperf.core.configuration.options import Configuration
    from opperf.fleet.client.submission import JobRequest
    from opperf.planning.selection import Selection
    from opperf.planning.task import Task
    from opperf.storing.database.connection import Database

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
    return await_outcome(arguments, store, name, output)


def train_on_fleet(
    arguments: Namespace, configuration: Configuration, tasks: Sequence[Task], output: Output
) -> int:
    """Have a fleet time the steps of networks, wait, and show what it found."""

    def plan(on: Any) -> list[JobRequest]:
        return models_of(tasks, flags_of(arguments, configuration), arguments.sessions, on)

    store, name = ask_fleet(arguments, command_line("model", arguments.given), plan)
    return await_outcome(arguments, store, name, output)


def await_outcome(arguments: Namespace, store: Database, name: str, output: Output) -> int:
    """Wait for a submission and show what it found, or print its name where that is asked for."""
    if arguments.detach:
        print(name)
        return 0
    if not await_jobs(store, name, quiet=output.quiet):
        return INTERRUPTED
    return show_outcome(store, name, output, Path(configuration_of(arguments)["runs_dir"].value))


def works_of(
    tasks: Sequence[Task], text: str, flags: Sequence[str], on: tuple[tuple[str, str], ...]
) -> list[JobRequest]:
    """Return a job for each operator, with all its tasks: frameworks stay side by side."""
    works = []
    for operator, own in by_subject(tasks).items():
        chosen = f"name={operator} and ({text})" if text.strip() else f"name={operator}"
        words = ("run", "-k", chosen, *flags)
        works.append(request_of(own, words, on, estimate(own, {}).seconds))
    return works


def models_of(
    tasks: Sequence[Task], flags: Sequence[str], sessions: int, on: tuple[tuple[str, str], ...]
) -> list[JobRequest]:
    """Return a job for each network, with all its frameworks and sessions."""
    return [
        request_of(own, ("model", network, *flags), on, model_seconds(own, sessions))
        for network, own in by_subject(tasks).items()
    ]


def by_subject(tasks: Sequence[Task]) -> dict[str, list[Task]]:
    """Return the tasks of each operator or network."""
    found: dict[str, list[Task]] = {}
    for task in tasks:
        found.setdefault(task.operator, []).append(task)
    return found


def request_of(
    tasks: Sequence[Task], words: Sequence[str], on: tuple[tuple[str, str], ...], seconds: float
) -> JobRequest:
    """Return the job of these tasks of one subject, which take so many seconds typically."""
    from opperf.fleet.client.submission import JobRequest
    from opperf.fleet.jobs.requirement import HostRequirement

    frameworks = tuple(dict.fromkeys(task.framework for task in tasks))
    is_named = any(word.startswith("--framework=") for word in words)
    named = [] if is_named else [f"--framework={','.join(frameworks)}"]
    requirement = HostRequirement(on=on, frameworks=frameworks)
    return JobRequest(
        tasks[0].operator, (*words, *named, "--quiet"), requirement, LEASE_MARGIN * seconds
    )
