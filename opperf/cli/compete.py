"""Carrying a comparison out: measure, save, show, and stop in good order when asked to."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from opperf.cli.calls import FOR_PEOPLE
from opperf.cli.conduct import EMPTY, FAILED, FINE, INTERRUPTED
from opperf.cli.interrupt import interruptible
from opperf.cli.output import PIPED, leaving_early, say
from opperf.comparing.campaign import Evidence
from opperf.comparing.networks.rows import compared_networks
from opperf.comparing.pairs.campaign import ArmComparison, Budget
from opperf.comparing.row import rows_of
from opperf.comparing.total import Total
from opperf.core.errors import UsageError
from opperf.core.results.pair import UNTRIED
from opperf.core.version import VERSION
from opperf.reporting.printing import print_rows
from opperf.reporting.progress import Progress
from opperf.reporting.text import columns, is_ascii
from opperf.reporting.verdict_rows import flat
from opperf.reporting.verdict_table import verdicts
from opperf.storing.disk import write_whole
from opperf.storing.document import parse

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Mapping, Sequence

    from opperf.cli.interrupt import Interrupt
    from opperf.comparing.arms.arm import ArmSpec
    from opperf.comparing.campaign import Rules
    from opperf.comparing.networks.jobs import NetworkJobs
    from opperf.comparing.pairs.job import Job
    from opperf.comparing.pairs.session import Session
    from opperf.measuring.worker.handle import Limits
    from opperf.storing import PairJournal, RunDirectory

REGRESSION, INCONCLUSIVE = 10, 13
BROKEN = ("wrong_result", "fails")
OPEN = ("different", "undecided", "noisy", "no_value")
PREFIX = "opperf-ab-"
"""How the folders for temporary files of comparisons begin."""
ARMS = "arms.json"
"""Beside the results: what the processes of each arm have found of their environment."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is to be compared, and how far."""

    jobs: Sequence[Any]
    arms: Mapping[str, ArmSpec]
    limits: Limits
    rules: Rules
    budget: float | None
    strict: bool
    network: NetworkJobs | None = None
    comparison: Callable[..., ArmComparison] = ArmComparison


def compete(plan: Plan, directory: RunDirectory, journal: PairJournal, arguments: Namespace) -> int:
    """Compare until every verdict stands, save each pair and show; return the exit code."""
    evidence = Evidence(plan.rules)
    evidence.add(journal.found.results)
    if not arguments.quiet:
        say(headline(plan.arms))
    remove_leftovers()
    out_of_time = False
    with tempfile.TemporaryDirectory(prefix=PREFIX) as folder, interruptible() as interrupt:
        comparison = plan.comparison(
            run_id=directory.run_id,
            jobs=plan.jobs,
            arms=plan.arms,
            limits=plan.limits,
            folder=Path(folder),
            evidence=evidence,
        )
        budget = Budget(plan.budget)
        try:
            while (due := comparison.due()) and not interrupt.pressed:
                if budget.is_spent:
                    out_of_time = True
                    break
                session, jobs = due
                with budget.session():
                    measure(session, jobs, evidence, journal, interrupt, quiet=arguments.quiet)
                if session.purpose != "control":  # whose arms are both A
                    remember(directory, session.environments)
        except KeyboardInterrupt:
            interrupt.pressed = True
    if out_of_time and not arguments.quiet:
        say("the budget is spent; what is undecided stays so")
    total = total_of(evidence, plan.network)
    with leaving_early():
        show(total, plan.rules.min_effect, arguments.format)
        show_networks(plan.network, evidence, arguments.format)
    if not arguments.quiet:
        say(f"results: {directory.results_path}")
    if interrupt.pressed:
        say(f"interrupted; go on with: opperf resume {directory.run_id}")
        return INTERRUPTED
    return exit_code(total, strict=plan.strict)


def remove_leftovers() -> None:
    """Remove the folders of comparisons that were killed: this one is alone, so they have ended."""
    for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):
            if path.lstat().st_uid == os.getuid() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)


def measure(
    session: Session,
    jobs: Sequence[Job],
    evidence: Evidence,
    journal: PairJournal,
    interrupt: Interrupt,
    *,
    quiet: bool,
) -> None:
    """Measure one session; each pair is saved before it counts."""
    progress = None if quiet else Progress(len(jobs), sys.stderr)
    label = f"session {session.number}: {session.purpose} of {len(jobs)}"
    began = time.monotonic()
    pairs = session.measure(jobs)
    try:
        for pair in pairs:
            journal.append([pair])
            evidence.add([pair])
            if progress:
                progress.finish([pair.worse_status])
                progress.start(label)
            if interrupt.pressed:
                break
    finally:
        pairs.close()
        if progress:
            progress.close()
    if not quiet:
        say(f"{label}, {time.monotonic() - began:.0f} s")


def show(total: Total, min_effect: float, form: str, *, paired: bool = True) -> None:
    """Print the verdicts on stdout."""
    if form == "table":
        width, ascii_only = columns(sys.stdout, PIPED), is_ascii(sys.stdout)
        print(verdicts(total, min_effect, width, paired=paired, ascii_only=ascii_only))
    else:
        print_rows([flat(row) for row in total.rows], form, sys.stdout)


def total_of(evidence: Evidence, network: NetworkJobs | None) -> Total:
    """Return all rows: of a network's calls with how often they are made, and what they predict."""
    if network is None:
        return Total(rows_of(evidence))
    rows = [row for each in compared_networks(network, evidence) for row in each.rows]
    return Total([*rows_of(evidence, network.counts), *rows])


def show_networks(network: NetworkJobs | None, evidence: Evidence, form: str) -> None:
    """Say how many of a network's calls were measured: on stdout where people read it."""
    for each in compared_networks(network, evidence) if network else ():
        if form in FOR_PEOPLE:
            print(each.line)
        else:
            say(each.line)


def remember(directory: RunDirectory, environments: Mapping[str, Mapping[str, Any]]) -> None:
    """Keep what the arms are; refuse to mix versions within one comparison.

    Raises:
        UsageError: an arm is not what it was when the comparison began.
    """
    path = directory.path / ARMS
    found = {name: dict(environment) for name, environment in environments.items()}
    if not found:
        return
    if not path.exists():
        write_whole(path, json.dumps(found, indent=2, default=str).encode() + b"\n")
        return
    before = environments_of_arms(directory)
    for name, environment in found.items():
        facts = before.get(name)
        if facts is None:
            raise UsageError(f"{path} is damaged: it lacks arm {name}; start a new comparison")
        then, now = (known.get("framework_version") for known in (facts, environment))
        if then != now:
            raise UsageError(
                f"arm {name} of run {directory.run_id} was {then}, here it is {now}; "
                "start a new comparison"
            )


def environments_of_arms(directory: RunDirectory) -> dict[str, dict[str, Any]]:
    """Return what is kept of each arm by its name: nothing before the first session.

    Raises:
        UsageError: The file is no JSON; names it.
    """
    path = directory.path / ARMS
    try:
        kept = parse(path.read_bytes()) if path.exists() else {}
    except UsageError as error:
        raise UsageError(f"{path} is damaged: {error}") from error
    arms = kept.items() if isinstance(kept, dict) else ()
    return {name: facts for name, facts in arms if isinstance(facts, dict)}


def exit_code(total: Total, *, strict: bool) -> int:
    """Return what the verdicts amount to."""
    counts = total.counts()
    if sum(counts[verdict] for verdict in ("no_value", *UNTRIED)) == len(total.compared):
        return EMPTY
    if total.regressions():
        return REGRESSION
    if any(counts[verdict] for verdict in BROKEN):
        return FAILED
    if total.failed_controls() or (strict and any(counts[verdict] for verdict in OPEN)):
        return INCONCLUSIVE
    return FINE


def headline(arms: Mapping[str, ArmSpec]) -> str:
    """Return what is compared with what."""
    return f"{VERSION}  " + "  ".join(f"{name}: {arm.text}" for name, arm in arms.items())
