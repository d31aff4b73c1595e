"""A run of a network's calls: what it measures, and what it prints in the end."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from opperf.calls.format.content import read_bytes
from opperf.calls.format.faults import calls_text
from opperf.calls.format.file import parse_calls, write_calls
from opperf.calls.measuring.plan import dtype_of
from opperf.calls.ranking.across import across
from opperf.cli.calls.across import of_own, print_across
from opperf.cli.calls.files import read_file, wrong_calls_of
from opperf.cli.common.manifest import selection_from
from opperf.cli.common.messages import say
from opperf.cli.common.options import configuration_of
from opperf.cli.common.output import FOR_PEOPLE, PIPED, Output, print_lines
from opperf.core.errors import UsageError, quote_path
from opperf.core.results.superseding import counting
from opperf.reporting.network import networks_of
from opperf.reporting.printing import print_rows
from opperf.reporting.ranking import (
    GROUPS,
    KEEP,
    TIMES,
    group_rows,
    ranking_lines,
    ranking_rows,
)
from opperf.reporting.registry import find_form
from opperf.reporting.subjects import Listing
from opperf.reporting.text import columns
from opperf.storing import RunDirectory

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from opperf.calls.format.model import CallsRecord
    from opperf.cli.calls.files import CallsRead
    from opperf.core.results.result import Result
    from opperf.planning.selection import Selection
    from opperf.reporting.network import RankedNetwork
    from opperf.reporting.subjects import Run

FILE = "calls.json"
"""The name of the file beside run.json that holds the calls."""


def add_calls(parser: ArgumentParser) -> None:
    """Add the flag that names a network's calls."""
    parser.add_argument(
        "--calls", metavar="FILE",
        help="measure each distinct call of a network: a calls file, a log or a trace of calls",
    )  # fmt: skip
    parser.add_argument(
        "--batch", type=int, metavar="N", help="a network's calls as with so many examples a step"
    )
    add_ranking(parser)


def add_ranking(parser: ArgumentParser) -> None:
    """Add how the ranking of a network's calls is shown."""
    parser.add_argument(
        "--top", type=int, metavar="N", help="of a network's calls, the dearest so many"
    )
    parser.add_argument(
        "--by", metavar="KEY", choices=[*GROUPS],
        help=f"sum a network's calls by one of: {', '.join(GROUPS)}",
    )  # fmt: skip


def named_calls(arguments: Namespace) -> CallsRead | None:
    """Return what could be read of the file that is named, None where none is.

    Raises:
        UsageError: it cannot be read, or a flag does not go with it.
    """
    for name in ("top", "batch"):
        number = getattr(arguments, name)
        if number is not None and number < 1:
            raise UsageError(f"--{name} {number}: must be at least 1")
    if arguments.calls is None:
        for name in ("top", "by", "batch"):
            if getattr(arguments, name) is not None:
                raise UsageError(f"--{name} is of a network's calls: give --calls FILE")
        return None
    for name in ("input", "sweep"):
        if getattr(arguments, name):
            raise UsageError(f"--{name} does not go with --calls: a call has its own arguments")
    return read_file(arguments.calls, arguments.batch)


def keep_calls(record: CallsRecord, directory: RunDirectory) -> None:
    """Write the calls into the run's folder: who goes on with it, or shows it, needs them."""
    write_calls(record, directory.path / FILE)


def kept_calls(directory: RunDirectory, manifest: Mapping[str, Any]) -> CallsRecord | None:
    """Return the calls of a run, None where it is of operators.

    Raises:
        UsageError: they cannot be read.
    """
    if "calls" not in manifest:
        return None
    path = directory.path / FILE
    try:
        return parse_calls(read_bytes(path))
    except OSError as error:
        raise UsageError(f"cannot read {quote_path(path)}: {error.strerror}") from None
    except UsageError as error:
        raise UsageError(f"{quote_path(path)}: {error}") from None


def named_run_of_calls(arguments: Namespace) -> CallsOutput | None:
    """Return what shows the run that a command names, None where it is none of calls.

    Raises:
        UsageError: its calls cannot be read.
    """
    found = calls_of_run(arguments, arguments.run)
    if found is None:
        return None
    output = Output(arguments.format, None, None, quiet=True)
    record, selection, wrong_calls = found
    return CallsOutput.ranked(output, record, selection, arguments, wrong_calls)


class CallsOfRun(NamedTuple):
    """The calls of a run, what was selected of them, and how many of its file were left out."""

    record: CallsRecord
    selection: Selection
    wrong_calls: int


def calls_of_run(arguments: Namespace, run: str) -> CallsOfRun | None:
    """Return the calls of a run, None where it is none of calls.

    Raises:
        UsageError: its calls cannot be read.
    """
    configuration = configuration_of(arguments)
    if configuration["store"].origin == "command line":
        return None
    directory = RunDirectory.find(Path(configuration["runs_dir"].value), run)
    if not (directory.path / FILE).is_file():
        return None
    manifest = directory.manifest()
    record = kept_calls(directory, manifest)
    if record is None:
        return None
    return CallsOfRun(record, selection_from(manifest["selection"]), wrong_calls_of(manifest))


def ranked_networks(
    arguments: Namespace, run: str, name: str, results: Sequence[Result]
) -> list[RankedNetwork]:
    """Return a ranking of a run's calls for each place of measurement, none of a run of operators.

    Args:
        arguments: the command's.
        run: what the command calls the run.
        name: what a report calls it.
        results: those of its results that are reported.

    Raises:
        UsageError: its calls cannot be read.
    """
    found = calls_of_run(arguments, run)
    if found is None:
        return []
    own, dtype = of_own(results, found.record), dtype_of(found.selection)
    return networks_of(name, found.record, own, dtype, found.wrong_calls)


@dataclass(frozen=True)
class CallsOutput(Output):
    """On stdout the ranking of a network's calls; a file beside it has the records."""

    record: CallsRecord | None = None
    dtype: str | None = None
    top: int | None = None
    by: str | None = None
    wrong_calls: int = 0

    @classmethod
    def ranked(
        cls,
        output: Output,
        record: CallsRecord,
        selection: Selection,
        arguments: Namespace,
        wrong_calls: int,
    ) -> CallsOutput:
        """Return the output that shows the calls' ranking in the place of a table of results."""
        return cls(
            output.form, output.path, output.file_form, output.quiet,
            record=record, dtype=dtype_of(selection), top=arguments.top, by=arguments.by,
            wrong_calls=wrong_calls,
        )  # fmt: skip

    def show(self, run: Run) -> None:
        """Print the ranking and write the file, a page with the network's view."""
        if self.record is not None:
            own = of_own(run.results, self.record)
            found = networks_of(run.name, self.record, own, self.dtype, self.wrong_calls)
            run = replace(run, networks=found)
        super().show(run)

    def print(self, run: Run) -> None:
        """Print the ranking; what is no form of rows has the results."""
        if self.record is None or not find_form(self.form, Listing):
            super().print(run)
            return
        for_people = self.form in FOR_PEOPLE
        width = columns(sys.stdout, PIPED) if self.form == "table" else None
        beside = across(self.record, counting(run.results), self.dtype)
        # A program reads one document: the rows of both frameworks have the times of either.
        for network in run.networks if for_people or not beside else ():
            ranking = network.ranking
            if self.by:
                rows = group_rows(ranking, self.by, self.top, for_people=for_people)
            else:
                rows = ranking_rows(ranking, self.top, for_people=for_people)
            print_rows(rows, self.form, sys.stdout, width=width, keep=KEEP, times=TIMES)
            lines = (*ranking_lines(self.record, ranking), *self.wrong_lines())
            if for_people:
                print_lines(lines, paged=self.form == "table")
                continue
            for line in lines:
                say(line)
        print_across(self.record, beside, self.form, self.top)

    def wrong_lines(self) -> Iterator[str]:
        """Yield how many calls of the file are not in the sum."""
        if self.wrong_calls:
            yield f"left out of the file: {calls_text(self.wrong_calls)}"
