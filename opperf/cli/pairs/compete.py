"""Carrying a comparison out: measure, save, show, and stop in good order when asked to."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from opperf.cli.common.exit_codes import EMPTY, FAILED, FINE, INCONCLUSIVE, INTERRUPTED, REGRESSION
from opperf.cli.common.messages import leaving_early, say
from opperf.cli.common.output import FOR_PEOPLE, PIPED
from opperf.cli.pairs.environments import remember
from opperf.cli.running.interrupt import interruptible
from opperf.comparing.campaign import Evidence
from opperf.comparing.networks.rows import compared_networks
from opperf.comparing.pairs.campaign import ArmComparison, Budget
from opperf.comparing.row import rows_of
from opperf.comparing.total import Total
from opperf.core.results.pair import UNTRIED
from opperf.core.version import VERSION
from opperf.reporting.color import colored
from opperf.reporting.printing import print_rows
from opperf.reporting.progress import Progress
from opperf.reporting.text import columns, is_ascii
from opperf.reporting.verdict_rows import flat
from opperf.reporting.verdict_table import verdicts

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Mapping, Sequence

    from opperf.cli.running.interrupt import Interrupt
    from opperf.comparing.arms.arm import ArmSpec
    from opperf.comparing.campaign import Rules
    from opperf.comparing.networks.jobs import NetworkJobs
    from opperf.comparing.pairs.job import Job
    from opperf.comparing.pairs.session import Session
    from opperf.measuring.worker.handle import Limits
    from opperf.storing import PairJournal, RunDirectory

BROKEN = ("wrong_result", "fails")
OPEN = ("different", "undecided", "noisy", "no_value")
PREFIX = "opperf-ab-"
"""How the folders for temporary files of comparisons begin."""


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
    comparison: Callable[..., Any] = ArmComparison

    grows: ClassVar[bool] = False
    """Whether an arm may be in some sessions only."""

    def evidence(self) -> Any:
        """Return a comparison of which nothing is known yet."""
        return Evidence(self.rules)

    def show(self, evidence: Any, form: str) -> Total:
        """Print the verdicts, and return what all rows amount to."""
        total = total_of(evidence, self.network)
        with leaving_early():
            show(total, self.rules.min_effect, form)
            show_networks(self.network, evidence, form)
        return total


def compete(plan: Plan, directory: RunDirectory, journal: PairJournal, arguments: Namespace) -> int:
    """Compare until every verdict stands, save each pair and show; return the exit code."""
    evidence = plan.evidence()
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
                    remember(directory, session.environments, grows=plan.grows)
        except KeyboardInterrupt:
            interrupt.pressed = True
    if out_of_time and not arguments.quiet:
        say("the budget is spent; what is undecided stays so")
    total = plan.show(evidence, arguments.format)
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
    progress = None if quiet else Progress(session.record_count(jobs), sys.stderr)
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
        text = verdicts(total, min_effect, width, paired=paired, ascii_only=ascii_only)
        print(colored(text, sys.stdout))
    else:
        print_rows([flat(row) for row in total.rows], form, sys.stdout)


def total_of(evidence: Evidence, network: NetworkJobs | None) -> Total:
    """Return all rows: of a network's calls with how often they are made, and what they predict."""
    if network is None:
        return Total(rows_of(evidence))
    rows = [row for each in compared_networks(network, evidence) for row in each.rows]
    return Total([*rows_of(evidence, network.counts), *rows])


def show_networks(
    network: NetworkJobs | None, evidence: Evidence, form: str, *, arm: str | None = None
) -> None:
    """Say how many of a network's calls were measured: on stdout where people read it.

    Of several arms it is said which `arm` that is of.
    """
    for each in compared_networks(network, evidence) if network else ():
        line = each.line if arm is None else f"{arm}: {each.line}"
        if form in FOR_PEOPLE:
            print(line)
        else:
            say(line)


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
