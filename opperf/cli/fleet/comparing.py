"""`opperf ab --fleet`: a comparison is one job, so that both arms run on one host."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.cli.common.options import command_line, configuration_of
from opperf.cli.common.output import Output
from opperf.cli.fleet.asking import ask_fleet
from opperf.cli.fleet.running import await_outcome
from opperf.cli.fleet.words import flags_of
from opperf.cli.pairs.locks import locked_for_hosts
from opperf.comparing.arms.lock import python_of
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
INSTALLING = 3600.0
"""Seconds more, where the arms' environments are to be made before."""


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
        # What all arms install need not be on the host.
        needed = () if all(arm.requirements for arm in arms.values()) else frameworks
        title = " : ".join(arm.text for arm in arms.values())
        seconds = LONGEST if budget is None else LEASE_MARGIN * budget
        locked = locked_for_hosts(arms, arguments)
        texts = {f"{one}.lock": arm.lock or "" for one, arm in locked.items()}
        words += [f"--lock={one}={one}.lock" for one in locked]
        pythons = {("python", tag) for text in texts.values() if (tag := python_of(text))}
        requirement = HostRequirement(on=(*on, *sorted(pythons)), frameworks=needed)
        allowed = seconds + (INSTALLING if locked else 0)
        return [JobRequest(title, tuple(words), requirement, allowed, texts)]

    store, name = ask_fleet(arguments, command_line("ab", arguments.given), plan)
    output = Output(arguments.format, None, None, arguments.quiet)
    return await_outcome(arguments, store, name, output)


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
