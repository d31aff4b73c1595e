"""`opperf ab --fleet`: a comparison is one job, so that both arms run on one host."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from opperf.cli.fleet.asking import INTERRUPTED, ask_fleet, await_jobs
from opperf.cli.fleet.outcome import show_outcome
from opperf.cli.fleet.words import flags_of
from opperf.cli.messages import say
from opperf.cli.options import command_line, configuration_of
from opperf.cli.output import Output
from opperf.core.errors import UsageError, quote

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Mapping, Sequence

    from opperf.comparing.arms.arm import ArmSpec
    from opperf.comparing.pairs.job import Job
    from opperf.fleet.client.submission import JobRequest

LONGEST = 4 * 3600.0
"""Seconds that a comparison may take where no --budget says how long."""
LEASE_MARGIN = 2.0


def compare_on_fleet(
    arguments: Namespace,
    arms: Mapping[str, ArmSpec],
    jobs: Sequence[Job],
    text: str,
    budget: float | None,
) -> int:
    """Have one host of each kind compare the arms, wait, and show what they found."""
    for name, arm in arms.items():
        refuse_local(name, arm)
    configuration = configuration_of(arguments)

    def plan(on: Any) -> list[JobRequest]:
        from opperf.fleet.client.submission import JobRequest
        from opperf.fleet.jobs.requirement import HostRequirement

        frameworks = tuple(dict.fromkeys(job.task.framework for job in jobs))
        words = ["ab", *(["-k", text] if text.strip() else [])]
        words += [*flags_of(arguments, configuration), "--wait", "--quiet"]
        if not configuration["framework"].value:
            words.append(f"--framework={','.join(frameworks)}")
        # What an arm installs need not be on the host.
        needed = () if any(arm.requirements for arm in arms.values()) else frameworks
        title = " : ".join(arm.text for arm in arms.values())
        seconds = LONGEST if budget is None else LEASE_MARGIN * budget
        return [JobRequest(title, tuple(words), HostRequirement(on=on, frameworks=needed), seconds)]

    store, name = ask_fleet(arguments, command_line("ab", arguments.given), plan)
    if arguments.detach:
        print(name)
        return 0
    if not arguments.quiet:
        say(f"submitted as {name}")
    if not await_jobs(store, name, quiet=arguments.quiet):
        return INTERRUPTED
    output = Output(arguments.format, None, None, arguments.quiet)
    return show_outcome(store, name, output, Path(configuration["runs_dir"].value))


def refuse_local(name: str, arm: ArmSpec) -> None:
    """Refuse an arm that is made of files of this machine.

    Raises:
        UsageError: names it, and what hosts can make by themselves.
    """
    words = arm.text.split()
    local = [word for word in words if "/" in word and "=" not in word.partition("/")[0]]
    local = [word for word in local if not word.startswith(("git+https://", "https://"))]
    if local:
        raise UsageError(
            f"arm {name}: {quote(local[0])} is of this machine, and hosts do not have it; give a "
            "pip requirement, git+https://..., NAME=value settings, or . for each host's own"
        )
