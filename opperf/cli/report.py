"""Write a run or a comparison as one offline HTML page, and in the forms that CI takes."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from opperf.cli.options import add_filter, add_options
from opperf.cli.output import check_writable, say, write_file
from opperf.cli.show import EMPTY, Chosen, choose_results
from opperf.core.errors import UsageError
from opperf.reporting.apart import CAUTION, join
from opperf.reporting.comparison import Comparison
from opperf.reporting.forms import COMPARISON_FORMS, RUN_FORMS, Run, summary_of, write_form
from opperf.reporting.summary import MOST_BYTES
from opperf.reporting.verdicts import verdicts_from
from opperf.storing.document import parse

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

PURPOSES = {
    "html": "one page that needs nothing else",
    "md": "a Markdown table",
    "csv": "a row a result, or a verdict",
    "junit": "JUnit XML, a test case a row",
    "chrome-trace": "when what was measured, for chrome://tracing or ui.perfetto.dev",
}
MIN_EFFECT = "2%"
STEP_SUMMARY = "GITHUB_STEP_SUMMARY"
NOT_COMPARABLE = 14
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
    for name, purpose in PURPOSES.items():
        parser.add_argument(f"--{name}", metavar="FILE", help=purpose)
    parser.add_argument(
        "--github", action="store_true",
        help="append what matters most to the step summary of GitHub Actions",
    )  # fmt: skip
    parser.add_argument(
        "--min-effect", default=MIN_EFFECT, metavar="SHARE",
        help="the least change of interest in a comparison (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument("--force", action="store_true", help="replace existing files")
    add_filter(parser)
    add_options(parser, ["runs_dir"])


def execute(arguments: Namespace) -> int:
    """Read what is to be shown, then write each form that was asked for."""
    paths = paths_of(arguments)
    summary = step_summary_path() if arguments.github else None
    subject = comparison_of_file(arguments) if arguments.ab else subject_of_runs(arguments)
    if isinstance(subject, int):
        return subject
    offered = RUN_FORMS if isinstance(subject, Run) else COMPARISON_FORMS
    for name, path in paths.items():
        if name not in offered:
            raise UsageError(f"--{name}: a comparison has none; it has {', '.join(offered)}")
        check_writable(path, force=arguments.force, flag=f"--{name}")
    for name, path in paths.items():
        write_file(path, partial(write_form, subject, name))
        say(f"wrote {path}")
    if summary is not None:
        append_summary(summary, subject)
    return 0


def paths_of(arguments: Namespace) -> dict[str, Path]:
    """Return the file of each form that was asked for."""
    given = {name: getattr(arguments, name.replace("-", "_")) for name in PURPOSES}
    paths = {name: Path(path) for name, path in given.items() if path is not None}
    if not paths and not arguments.github:
        raise UsageError(f"nothing to write: give --{', --'.join(PURPOSES)} or --github")
    if len(set(paths.values())) < len(paths):
        raise UsageError("two forms cannot be written to the same file; give each its own")
    if arguments.ab and arguments.run:
        raise UsageError(f"--ab {arguments.ab}: has no run beside it; leave out {arguments.run}")
    return paths


def subject_of_runs(arguments: Namespace) -> Run | Comparison | int:
    """Return the run, or the two runs compared; an exit code where they leave nothing to show."""
    found = [choose_results(arguments, arguments.run or "last")]
    if arguments.other is not None:
        found.append(choose_results(arguments, arguments.other))
    for chosen in found:
        if not chosen.results:
            say(f"no result of {chosen.name} matches {arguments.filter!r}")
            return EMPTY
    if arguments.other is None:
        return Run(name=found[0].name, results=found[0].results)
    return comparison_of_runs(found[0], found[1], share(arguments.min_effect))


def comparison_of_runs(a: Chosen, b: Chosen, min_effect: float) -> Comparison | int:
    """Return two runs joined by series, or an exit code where they have nothing in common."""
    joined = join(a.results, b.results)
    if not joined.verdicts:
        lacking = f"{a.name} and {b.name} have no result in common"
        if joined.not_comparable:
            say(f"{lacking} that means the same: {joined.not_comparable} differ by definition")
            return NOT_COMPARABLE
        say(f"{lacking}: no operator, inputs, direction, threads and device model are the same")
        return EMPTY
    notes = [
        CAUTION,
        *counted(joined.only_a, f"only {a.name} has"),
        *counted(joined.only_b, f"only {b.name} has"),
        *counted(joined.not_comparable, "were measured by different definitions"),
    ]
    return Comparison(
        verdicts=joined.verdicts,
        min_effect=min_effect,
        names=(a.name, b.name),
        notes=notes,
        results=(a.results, b.results),
    )


def counted(number: int, what: str) -> list[str]:
    """Return a note on rows that are left out, if there are any."""
    return [f"Left out: {number} rows that {what}."] if number else []


def comparison_of_file(arguments: Namespace) -> Comparison:
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
    return Comparison(verdicts=verdicts, min_effect=share(arguments.min_effect))


def share(text: str) -> float:
    """Return the share that "2%" or "0.02" stands for."""
    try:
        value = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        value = -1.0
    if not 0 < value < 1:
        raise UsageError(f"--min-effect {text!r}: expected a share above 0 and below 1, such as 2%")
    return value


def step_summary_path() -> Path:
    """Return the file that GitHub Actions names."""
    named = os.environ.get(STEP_SUMMARY)
    if not named:
        raise UsageError(f"--github: {STEP_SUMMARY} is not set; it is within GitHub Actions")
    return Path(named)


def append_summary(path: Path, subject: Run | Comparison) -> None:
    """Add the summary to what earlier commands of the step wrote, within GitHub's limit."""
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(summary_of(subject, MOST_BYTES - file.tell()))
    except OSError as error:
        raise UsageError(f"--github: cannot write {path}: {error.strerror}") from error
