"""Write a run or a comparison as one offline HTML page, and in the forms that CI takes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from opperf.cli.calls.run import ranked_networks
from opperf.cli.common.arranging import add_only
from opperf.cli.common.exit_codes import EMPTY
from opperf.cli.common.filtering import facts_filter
from opperf.cli.common.messages import say
from opperf.cli.common.options import add_filter, add_options
from opperf.cli.common.output import check_writable, write_file
from opperf.cli.common.stores import reading, required_store
from opperf.cli.pairs.comparison import named_comparison
from opperf.cli.pairs.flags import add_effect, parse_share
from opperf.cli.reporting.arms import comparison_of_arms
from opperf.cli.reporting.comment import add_comment, check_comment, post_comment
from opperf.cli.reporting.flags import add_forms, form_for, require_some
from opperf.cli.reporting.site import report_site
from opperf.cli.verbs.show import choose_results
from opperf.comparing.instruction_sets import notes as apart
from opperf.comparing.stored import MIN_STORED_EFFECT, match
from opperf.core.errors import UsageError
from opperf.core.moments import day, parse_moment
from opperf.reporting.comparison import ComparisonReport
from opperf.reporting.page.stored import chart_of
from opperf.reporting.subjects import Past, Run
from opperf.reporting.summary import MOST_BYTES, summary_of
from opperf.reporting.verdicts import arms_of, verdict_of, verdicts_from
from opperf.storing.document import parse

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

DIFFERENT_MOMENTS = (
    "The two runs were taken apart in time: a ratio holds the difference between two processes and "
    "two moments as well, for which 4 % were added to either side. Only opperf ab, which "
    "measures both in turns, can confirm one."
)
STEP_SUMMARY = "GITHUB_STEP_SUMMARY"
LARGEST = 256 * 2**20
"""Bytes of a file of verdicts: a million rows."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the flags of this verb."""
    parser.add_argument(
        "run", metavar="RUN", nargs="?", default=None,
        help="a run's id, a results file, or: last (the default)",
    )  # fmt: skip
    parser.add_argument(
        "other", metavar="B", nargs="?", default=None, help="a second run, to compare with RUN"
    )
    parser.add_argument(
        "--ab", metavar="FILE", help="verdicts, as opperf ab --format json has them"
    )
    parser.add_argument(
        "--since", metavar="DATE", help="histories of --store from then on: 2026-11-21, 90d, 2w"
    )
    parser.add_argument(
        "--github", action="store_true",
        help="append what matters most to the step summary of GitHub Actions",
    )  # fmt: skip
    add_comment(parser)
    parser.add_argument(
        "--site", metavar="DIR",
        help="all runs and comparisons, and each operator's history, as pages in a directory",
    )  # fmt: skip
    add_effect(parser, MIN_STORED_EFFECT)
    parser.add_argument("--force", action="store_true", help="replace existing files")
    add_filter(parser)
    add_only(parser)
    add_options(parser, ["runs_dir", "store"])
    add_forms(parser)


def execute(arguments: Namespace) -> int:
    """Read what is to be shown, then write each form that was asked for."""
    if arguments.site is not None:
        return report_site(arguments)
    files = files_of(arguments)
    summary = step_summary_path() if arguments.github else None
    subject = subject_of(arguments)
    if isinstance(subject, int):
        return subject
    forms = {path: form_for(name, type(subject)) for name, path in files.items()}
    for path, form in forms.items():
        check_writable(path, force=arguments.force, flag=f"--{form.name}")
    for path, form in forms.items():
        write_file(path, form, subject)
        say(f"wrote {path}")
    if isinstance(subject, Past):
        return 0
    if summary is not None:
        append_summary(summary, subject)
    if arguments.comment is not None:
        post_comment(arguments.comment, subject)
    return 0


def subject_of(arguments: Namespace) -> Run | ComparisonReport | Past | int:
    """Return the run or comparison to report, or an exit code where it is empty."""
    if arguments.since:
        return past_of_store(arguments)
    return comparison_of_file(arguments) if arguments.ab else subject_of_runs(arguments)


def past_of_store(arguments: Namespace) -> Past | int:
    """Return the histories of a store that the filter leaves, or an exit code for none."""
    since = parse_moment(arguments.since)
    store = required_store(arguments)
    from opperf.storing.database.histories import histories
    from opperf.storing.database.selection import select_series

    with reading(store) as connection:
        rows = select_series(connection, None, arguments.filter, {}, None)
        found = histories(connection, [row.id for row in rows], since)
    if not found:
        say(f"the store has no result since {day(since)} that matches {arguments.filter!r}")
        return EMPTY
    return Past(since=day(since), histories=[chart_of(history) for history in found])


def files_of(arguments: Namespace) -> dict[str, Path]:
    """Return the file of each form that was asked for."""
    files = require_some(arguments)
    for flag in ("ab", "since"):
        if getattr(arguments, flag) and arguments.run:
            raise UsageError(f"--{flag}: has no run beside it; leave out {arguments.run}")
    if arguments.github and arguments.since:
        raise UsageError("--github: a history has no step summary; leave it out, or --since")
    check_comment(arguments)
    return files


def subject_of_runs(arguments: Namespace) -> Run | ComparisonReport | int:
    """Return the run, or the two runs compared; an exit code where they leave nothing to show."""
    arguments.run = arguments.run or "last"
    if arguments.other is None and (directory := named_comparison(arguments)) is not None:
        return comparison_of_arms(directory, facts_filter(arguments.filter))
    found: list[Run] = []
    for name in filter(None, (arguments.run, arguments.other)):
        chosen = choose_results(arguments, name)
        if not chosen.results:
            say(f"no result of {chosen.name} matches {arguments.filter!r}")
            return EMPTY
        networks = ranked_networks(arguments, name, chosen.name, chosen.results)
        found.append(Run(name=chosen.name, results=chosen.results, networks=networks))
    if arguments.other is None:
        return found[0]
    return comparison_of_runs(found[0], found[1], parse_share(arguments.min_effect))


def comparison_of_runs(a: Run, b: Run, min_effect: float) -> ComparisonReport | Run | int:
    """Return two runs joined by series, or an exit code where they have nothing in common.

    Two networks that have no call in common are a page of both.
    """
    matched = match(a.results, b.results)
    networks = [*a.networks, *b.networks]
    if not matched.matches and a.networks and b.networks:
        matched.require_same()
        name = f"{a.name} and {b.name}"
        return Run(name=name, results=[*a.results, *b.results], networks=networks)
    if not matched.matches:
        matched.require_same()
        say(
            f"{a.name} and {b.name} have no result in common: no operator, inputs, direction, "
            "threads and device model are the same"
        )
        return EMPTY
    notes = [
        DIFFERENT_MOMENTS,
        *left_out_note(matched.only_a, f"only {a.name} has"),
        *left_out_note(matched.only_b, f"only {b.name} has"),
        *left_out_note(len(matched.different), "were measured by different definitions"),
        *apart(a.results, b.results),
    ]
    return ComparisonReport(
        verdicts=[verdict_of(found.row(min_effect)) for found in matched.matches],
        min_effect=min_effect,
        names=(a.name, b.name),
        notes=notes,
        environments=[[result.environment for result in run.results] for run in (a, b)],
        networks=networks,
    )


def left_out_note(number: int, what: str) -> list[str]:
    """Return a note on rows that are left out, if there are any."""
    return [f"Left out: {number} rows that {what}."] if number else []


def comparison_of_file(arguments: Namespace) -> ComparisonReport:
    """Return the verdicts in a file."""
    path = Path(arguments.ab)
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise UsageError(f"cannot read --ab {path}: {error.strerror}") from error
    if len(data) > LARGEST:
        raise UsageError(f"--ab {path}: larger than {LARGEST >> 20} MiB")
    try:
        verdicts = verdicts_from(parse(data))
    except UsageError as error:
        raise UsageError(f"--ab {path}: {error}") from error
    return ComparisonReport(
        verdicts=verdicts,
        min_effect=parse_share(arguments.min_effect),
        arms=dict.fromkeys(arms_of(verdicts), ""),
    )


def step_summary_path() -> Path:
    """Return the file that GitHub Actions names."""
    named = os.environ.get(STEP_SUMMARY)
    if not named:
        raise UsageError(f"--github: {STEP_SUMMARY} is not set; it is within GitHub Actions")
    return Path(named)


def append_summary(path: Path, subject: Run | ComparisonReport) -> None:
    """Add the summary to what earlier commands of the step wrote, within GitHub's limit."""
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(summary_of(subject, MOST_BYTES - file.tell()))
    except OSError as error:
        raise UsageError(f"--github: cannot write {path}: {error.strerror}") from error
