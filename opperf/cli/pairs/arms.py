"""A comparison of several arms: what is asked for, what it prints, and what was kept of it."""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from opperf.cli.common.messages import leaving_early, say
from opperf.cli.common.output import PIPED
from opperf.cli.pairs.compete import Plan, show_networks
from opperf.comparing.arms.entry import MOST_ARMS, SPECS, ArmEntry, parse_entries
from opperf.comparing.arms.venv import cache_folder, provide
from opperf.comparing.networks.rows import compared_networks
from opperf.comparing.rounds.campaign import RoundComparison
from opperf.comparing.rounds.evidence import ArmsEvidence
from opperf.comparing.rounds.own_job import jobs_in
from opperf.comparing.total import Total
from opperf.core.errors import UsageError
from opperf.measuring.worker.variables import child_variables
from opperf.reporting.arms_table import arms_table
from opperf.reporting.printing import print_rows
from opperf.reporting.text import columns, is_ascii
from opperf.reporting.verdict_rows import flat

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from opperf.comparing.networks.jobs import NetworkJobs
    from opperf.comparing.pairs.job import Job
    from opperf.comparing.row import ComparedRow


def add_arms(parser: ArgumentParser) -> None:
    """Add the flags that name several arms."""
    parser.add_argument(
        "--arm", action="append", default=[], metavar="NAME=SPEC",
        help=f"one of 2 to {MOST_ARMS} arms, in the place of --a and --b; between commas: {SPECS}",
    )  # fmt: skip
    parser.add_argument(
        "--reference", metavar="NAME",
        help="with --arm: what the others are compared with (default: the first)",
    )  # fmt: skip


def entries_of(arguments: Namespace) -> dict[str, ArmEntry]:
    """Return the arms that a command line names, the reference first; none where it names two.

    Raises:
        UsageError: one is none, or they do not go with other flags.
    """
    if not arguments.arm:
        if arguments.reference is not None:
            raise UsageError("--reference: is one of several arms; give --arm NAME=SPEC")
        if missing := [f"--{name}" for name in "ab" if getattr(arguments, name) is None]:
            raise UsageError(
                f"{missing[0]} is missing; give --a ARM and --b ARM, or --arm NAME=SPEC of each arm"
            )
        return {}
    for name in ("a", "b", "task", "method"):
        if getattr(arguments, name):
            raise UsageError(f"--{name}: does not go with --arm; leave it out")
    return parse_entries(arguments.arm, arguments.reference)


def refuse_settings(arguments: Namespace, arms: Mapping[str, ArmEntry]) -> None:
    """Refuse settings of arms that are of operators where calls or networks are compared."""
    flag = "--calls" if arguments.calls is not None else "--model" if arguments.model else None
    for number, arm in enumerate(arms.values() if flag else ()):
        settings = {
            "compile": arm.compile,
            "dtype": flag == "--calls" and arm.dtype,
            "threads": flag == "--calls" and number == 0 and arm.threads,
        }
        for name, value in settings.items():
            if value:
                raise UsageError(f"arm {arm.name}: {name} does not go with {flag}; leave it out")


def own_threads(arms: Mapping[str, ArmEntry]) -> list[int]:
    """Return the numbers of threads that arms have of their own."""
    return [arm.threads for arm in arms.values() if arm.threads is not None]


def provide_entries(
    arms: Mapping[str, ArmEntry], tell: Callable[[str], None]
) -> dict[str, ArmEntry]:
    """Return the arms with their interpreters; one that cannot be made says why.

    Raises:
        UsageError: it is the reference.
    """
    ready = {}
    for number, (name, arm) in enumerate(arms.items()):
        try:
            python, failure = provide(arm, cache_folder(), tell), None
        except UsageError as error:
            if number == 0:
                raise
            say(f"{error}; the others go on")
            python, failure = arm.python, str(error).removeprefix(f"{arm.subject}: ")
        ready[name] = replace(arm, python=python, requirements=(), failure=failure)
    return ready


def same_entries(arms: Mapping[str, ArmEntry], jobs: Sequence[Job]) -> Iterator[tuple[str, str]]:
    """Yield the arms that come out as another one before them, though their texts may differ."""
    places = {(job.task.framework, job.task.settings.threads) for job in jobs}
    met: list[tuple[str, object]] = []
    for name, arm in arms.items():
        variables = [
            child_variables(framework, arm.threads or threads, arm.variables)
            for framework, threads in sorted(places)
        ]
        installed = arm.lock or arm.requirements
        own = (arm.python, installed, arm.threads, arm.dtype, arm.compile, variables)
        yield from ((other, name) for other, theirs in met if own == theirs)
        met.append((name, own))


def arms_manifest(arms: Mapping[str, ArmEntry]) -> dict[str, Any]:
    """Return what run.json says of the arms."""
    return {
        "arms": {name: asdict(arm) for name, arm in arms.items()},
        "reference": next(iter(arms)),
    }


def kept_entries(manifest: Mapping[str, Any]) -> dict[str, ArmEntry]:
    """Return the arms of a stored comparison, the reference first."""
    first = manifest["reference"]
    every = {name: ArmEntry(**fields) for name, fields in manifest["arms"].items()}
    return {first: every[first], **every}


@dataclass(frozen=True, kw_only=True)
class ArmsPlan(Plan):
    """What is to be compared in several arms, and how far."""

    comparison: Callable[..., Any] = RoundComparison

    grows: ClassVar[bool] = True

    def evidence(self) -> ArmsEvidence:
        """Return a comparison of which nothing is known yet."""
        return ArmsEvidence.of(self.rules, self.arms)

    def show(self, evidence: ArmsEvidence, form: str) -> Total:
        """Print the verdicts, and return what all rows amount to."""
        return show_arms(evidence, self.network, form)


def jobs_of_reference(jobs: Sequence[Job], arms: Mapping[str, ArmEntry]) -> list[Job]:
    """Return the jobs as the reference measures them."""
    return jobs_in(jobs, next(iter(arms.values())))


def total_of_arms(evidence: ArmsEvidence, network: NetworkJobs | None) -> Total:
    """Return all rows: of a network's calls with how often they are made, and what they predict."""
    if network is None:
        return Total(evidence.rows())
    found: list[list[ComparedRow]] = []
    for name in evidence.contenders:
        every = (
            row for each in compared_networks(network, evidence.by_arm[name]) for row in each.rows
        )
        found.append([
            replace(row, arm=name, reference=evidence.reference, job=f"prediction {number}")
            for number, row in enumerate(every)
        ])  # fmt: skip
    predictions = [row for rows in found for row in rows]
    return Total([*evidence.rows(network.counts), *predictions])


def show_arms(evidence: ArmsEvidence, network: NetworkJobs | None, form: str) -> Total:
    """Print the verdicts on stdout, and return what all rows amount to."""
    total = total_of_arms(evidence, network)
    with leaving_early():
        if form == "table":
            width, ascii_only = columns(sys.stdout, PIPED), is_ascii(sys.stdout)
            names = [*evidence.by_arm]
            text = arms_table(total, names, evidence.rules.min_effect, width, ascii_only=ascii_only)
            print(text)
        else:
            print_rows([flat(row) for row in total.rows], form, sys.stdout)
        for name in evidence.contenders if network else ():
            show_networks(network, evidence.by_arm[name], form, arm=name)
    return total
