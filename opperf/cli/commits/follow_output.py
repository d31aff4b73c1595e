"""What `opperf follow` says of a commit, and what it reports of it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from opperf.cli.specs.reporters import reporters_of
from opperf.commits.following.driver import Report, ReportError
from opperf.commits.following.records import REGRESS, parts_of
from opperf.commits.repository.commit import SHORT
from opperf.core.errors import OpperfError
from opperf.core.results.identity import digest
from opperf.reporting.text import clean
from opperf.specs.reporters.meta import Meta

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Sequence

    from opperf.commits.following.outcome import CommitOutcome
    from opperf.commits.following.records import ReportPart
    from opperf.specs.reporters.meta import Reporter


def outcome_line(outcome: CommitOutcome) -> str:
    """Return what came of a commit as one line."""
    words = [outcome.commit[:SHORT], outcome.platform, outcome.state]
    if outcome.control:
        words.append(f"against {outcome.control[:SHORT]}")
    said = ", ".join(outcome.worse) or outcome.reason or verdicts_text(outcome)
    title = f" ({outcome.title})" if outcome.title else ""
    return clean(" ".join(words) + title + (f": {said}" if said else ""))


def verdicts_text(outcome: CommitOutcome) -> str:
    """Return how many operators have which verdict, as text."""
    return ", ".join(f"{count} {verdict}" for verdict, count in outcome.verdicts.items())


def reports_of(arguments: Namespace) -> Callable[[CommitOutcome], Sequence[Report]]:
    """Return what makes the reports of an outcome, with keys that are the same whenever it does.

    The screen has the line of each commit, whether or not that is asked for.

    Raises:
        UsageError: a reporter cannot be had; nothing is measured then.
    """
    arguments.screen_reporter = False
    reporters = reporters_of(arguments)
    framework = arguments.framework or "opperf"

    def reports(outcome: CommitOutcome) -> list[Report]:
        return [
            Report(digest([part.key, place]), partial(send, reporter, part, outcome))
            for part in parts_of(outcome, framework)
            for place, reporter in enumerate(reporters)
        ]

    return reports


def send(reporter: Reporter, part: ReportPart, outcome: CommitOutcome) -> None:
    """Make one report.

    Raises:
        ReportError: it cannot be made; the commit stays due, and is not measured again.
    """
    meta = Meta(
        platform=outcome.platform,
        framework=part.framework,
        net=part.net,
        metric=part.metric,
        identifier=part.identifier,
        time=outcome.time,
        commit=outcome.commit,
        commit_time=outcome.commit_time,
        control_commit=outcome.control or "",
        control_commit_time=outcome.control_time,
        run_type=part.run_type,
        info={"state": outcome.state, "title": outcome.title},
        regressed_types=outcome.worse if part.run_type == REGRESS else (),
        key=part.key,
    )
    try:
        reporter.report(part.records, meta)
    except OpperfError as error:
        raise ReportError(
            f"commit {outcome.commit[:SHORT]} is not reported yet: {error}"
        ) from error
