"""What `opperf report` can write: the forms of a run and of a comparison, by name."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from opperf.reporting import files
from opperf.reporting.chrome_trace import write_chrome_trace
from opperf.reporting.junit import write_comparison_junit, write_run_junit
from opperf.reporting.page.comparison import comparison_page, plain
from opperf.reporting.page.document import document
from opperf.reporting.page.history import history_page
from opperf.reporting.page.run import run_page
from opperf.reporting.summary import comparison_summary, run_summary
from opperf.reporting.verdicts import worst_first

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import TextIO

    from opperf.core.results.result import Result
    from opperf.reporting.comparison import Comparison
    from opperf.reporting.page.history import History


@dataclass(frozen=True, kw_only=True)
class Run:
    """The results of a run, and what the run is called."""

    name: str
    results: Sequence[Result]


@dataclass(frozen=True, kw_only=True)
class Past:
    """Histories of a store, from a day on."""

    since: str
    histories: Sequence[History]


def write_history_page(past: Past, stream: TextIO) -> None:
    """Write one offline HTML page."""
    stream.write(document(history_page(past.histories, past.since)))


def write_run_page(run: Run, stream: TextIO) -> None:
    """Write one offline HTML page."""
    stream.write(document(run_page(run.results, run.name)))


def write_comparison_page(comparison: Comparison, stream: TextIO) -> None:
    """Write one offline HTML page."""
    stream.write(document(comparison_page(comparison)))


def write_comparison_csv(comparison: Comparison, stream: TextIO) -> None:
    """Write a flat row a verdict, worst first: seconds, and ratios without a unit."""
    files.print_rows([plain(row) for row in worst_first(comparison.verdicts)], "csv", stream)


def write_comparison_markdown(comparison: Comparison, stream: TextIO) -> None:
    """Write what the step summary has, however long."""
    stream.write(comparison_summary(comparison, sys.maxsize))


RUN_FORMS: Mapping[str, Callable[[Run, TextIO], None]] = {
    "html": write_run_page,
    "md": lambda run, stream: files.write(run.results, "md", stream),
    "csv": lambda run, stream: files.write(run.results, "csv", stream),
    "junit": lambda run, stream: write_run_junit(run.results, run.name, stream),
    "chrome-trace": lambda run, stream: write_chrome_trace(run.results, stream),
}
COMPARISON_FORMS: Mapping[str, Callable[[Comparison, TextIO], None]] = {
    "html": write_comparison_page,
    "md": write_comparison_markdown,
    "csv": write_comparison_csv,
    "junit": write_comparison_junit,
}


HISTORY_FORMS: Mapping[str, Callable[[Past, TextIO], None]] = {"html": write_history_page}


def forms_of(subject: Run | Comparison | Past) -> Mapping[str, Callable[[Any, TextIO], None]]:
    """Return what a subject can be written as."""
    if isinstance(subject, Run):
        return RUN_FORMS
    return HISTORY_FORMS if isinstance(subject, Past) else COMPARISON_FORMS


def summary_of(subject: Run | Comparison, room: int) -> str:
    """Return the step summary, of at most so many bytes."""
    if isinstance(subject, Run):
        return run_summary(subject.results, subject.name, room)
    return comparison_summary(subject, room)
