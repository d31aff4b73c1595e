"""Writing the page of one run or comparison, and the pages of some operators."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from opperf.core.errors import OpperfError
from opperf.core.moments import day, utc
from opperf.core.units import MISSING, format_seconds
from opperf.reporting.page.comparison import comparison_page
from opperf.reporting.page.history import history_page, news
from opperf.reporting.page.run import run_page
from opperf.reporting.page.stored import chart_of
from opperf.reporting.site.document import report_document
from opperf.reporting.site.folder import COMPARISONS, OPERATORS, POINTS, RUNS
from opperf.reporting.site.ledger import OperatorEntry, RunEntry
from opperf.reporting.site.markup import ListCell, ListColumn, list_section
from opperf.reporting.site.naming import file_stem, page_of
from opperf.reporting.site.past import histories_of
from opperf.reporting.site.points import pack_points
from opperf.reporting.subjects import Run
from opperf.reporting.text import clean
from opperf.reporting.wording import attributes_text, direction_text, inputs_text
from opperf.storing.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.history.model import History
    from opperf.reporting.comparison import ComparisonReport
    from opperf.reporting.site.folder import SiteFiles
    from opperf.reporting.site.past import OperatorPast
    from opperf.reporting.site.source import SiteSource

LONGEST_LEFT_OUT = 300


class RunJob(NamedTuple):
    """A run or comparison whose page is to be written."""

    files: SiteFiles
    source: SiteSource


class OperatorJob(NamedTuple):
    """Operators whose pages are to be written, each with what its page is made of."""

    files: SiteFiles
    pasts: Sequence[OperatorPast]


class WrittenRun(NamedTuple):
    """How the index lists a run, and how many files were written."""

    entry: RunEntry
    written: int


class WrittenOperator(NamedTuple):
    """How the index lists an operator, and how many files were written."""

    entry: OperatorEntry
    written: int


def write_run(job: RunJob) -> WrittenRun:
    """Write the files of a run or of a comparison; one that cannot be read is left out."""
    source = job.source
    try:
        found = source.load()
    except StorageError:
        raise
    except OpperfError as error:
        reason = clean(error)[:LONGEST_LEFT_OUT]
        return WrittenRun(RunEntry(stamp=source.stamp, kind="", left_out=reason), 0)
    subject = found.subject
    entry, written = (
        run_entry(job, subject) if isinstance(subject, Run) else comparison_entry(job, subject)
    )
    entry.warning = clean(found.warning or "")[:LONGEST_LEFT_OUT]
    return WrittenRun(entry, written)


def run_entry(job: RunJob, run: Run) -> WrittenRun:
    """Write the page of a run and its points."""
    report = run_page(run.results, run.name, run.networks)
    names = report["results"]["texts"]["operator"][0]
    originals = {clean(result.operator.name): result.operator.name for result in run.results}
    report["pages"] = [f"../{page_of(OPERATORS, originals[name])}" for name in names]
    page, content = page_of(RUNS, job.source.name), report_document(report)
    points, packed = f"{POINTS}/{file_stem(job.source.name)}.z", pack_points(run.results)
    facts = run.results[0].environment if run.results else {}
    entry = RunEntry(
        **common(job, report, page, len(content)),
        kind="run",
        points=points,
        points_size=len(packed),
        machine=clean(facts.get("cpu") or ""),
        frameworks=report["frameworks"],
        results=len(run.results),
    )
    written = job.files.write(points, packed) + job.files.write(page, content)
    return WrittenRun(entry, written)


def comparison_entry(job: RunJob, comparison: ComparisonReport) -> WrittenRun:
    """Write the page of a comparison."""
    report = comparison_page(comparison)
    page, content = page_of(COMPARISONS, job.source.name), report_document(report)
    entry = RunEntry(
        **common(job, report, page, len(content)),
        kind="comparison",
        results=len(comparison.verdicts),
    )
    return WrittenRun(entry, job.files.write(page, content))


def common(job: RunJob, report: dict[str, Any], page: str, size: int) -> dict[str, Any]:
    """Return what the index says of a run and of a comparison alike."""
    return {
        "stamp": job.source.stamp,
        "page": page,
        "size": size,
        "heading": report["heading"],
        "began": report["began"],
        "command": report["origin"],
        "level": report["banner"]["level"],
        "text": report["banner"]["text"],
    }


def write_operators(job: OperatorJob) -> list[WrittenOperator]:
    """Write the pages of some operators."""
    return [write_operator(job.files, past) for past in job.pasts]


def write_operator(files: SiteFiles, past: OperatorPast) -> WrittenOperator:
    """Write the page of an operator: its series over all runs, with their changes."""
    histories = histories_of(past)
    report = operator_report(past, histories)
    page = page_of(OPERATORS, past.operator)
    content = report_document(report, series_section(histories))
    changes = [change for history in histories for change in history.changes]
    last = max(changes, key=lambda change: change.at, default=None)
    known = [change for change in changes if change.acknowledgment is None]
    entry = OperatorEntry(
        source=source_of(past),
        page=page,
        size=len(content),
        category=clean(histories[0].subject.category),
        frameworks=sorted({clean(history.subject.framework) for history in histories}),
        series=len(histories),
        runs=len(past.fragments),
        newest=day(max(history.points[-1].at for history in histories)),
        slower=sum(change.ratio > 1 for change in known),
        faster=sum(change.ratio < 1 for change in known),
        last_change=day(last.at) if last else "",
        last_ratio=last.ratio if last else None,
    )
    return WrittenOperator(entry, int(files.write(page, content)))


def source_of(past: OperatorPast) -> str:
    """Return what stands for all that an operator's page is made of."""
    found = sha256(repr(sorted(past.acknowledgments.items())).encode())
    for run, series in past.fragments:
        found.update(b"%d:%s%d:" % (len(run.encode()), run.encode(), len(series)))
        found.update(series)
    return found.hexdigest()[:16]


def operator_report(past: OperatorPast, histories: Sequence[History]) -> dict[str, Any]:
    """Return the data of an operator's page: that of histories under the operator's name."""
    charts = [chart_of(history) for history in histories]
    began = min(history.points[0].at for history in histories)
    report = history_page(charts, day(began))
    changed = sum(bool(news(chart)) for chart in charts)
    count = f"{changed} of {len(charts)} series changed"
    return {
        **report,
        "title": f"opperf: {clean(past.operator)}",
        "heading": clean(past.operator),
        "origin": "",
        "banner": {**report["banner"], "text": f"{count} since {day(began)}"},
        "tables": True,
    }


COLUMNS = (
    ListColumn("Series"), ListColumn("Time", "number"), ListColumn("Last change", "number"),
    ListColumn("Inputs", "sentence"), ListColumn("Newest run", "word"),
    ListColumn("Sessions", "number"), ListColumn("Machine", "word"),
)  # fmt: skip


def series_section(histories: Sequence[History]) -> str:
    """Return the table of an operator's series, each with its newest session."""
    return list_section("series", "Series", COLUMNS, map(series_cells, histories))


def series_cells(history: History) -> list[ListCell]:
    """Return the row of a series."""
    subject, newest = history.subject, history.points[-1]
    words = (subject.framework, direction_text(subject.direction), subject.device, *subject.marks)
    given = (inputs_text(subject.inputs), attributes_text(subject.attributes))
    changed = history.changes[-1] if history.changes else None
    return [
        ListCell(" ".join(filter(None, words))),
        ListCell(time_text(newest.value, newest.status), value=newest.value),
        change_cell(changed.ratio, day(changed.at)) if changed else ListCell(MISSING),
        ListCell(" ".join(filter(None, given))),
        ListCell(f"{utc(newest.at):%Y-%m-%d %H:%M}", link=f"../{page_of(RUNS, newest.run)}"),
        ListCell(str(len(history.points)), value=len(history.points)),
        ListCell(subject.machine_key),
    ]


def time_text(seconds: float | None, status: str) -> str:
    """Return a time, or how the session ended that has none."""
    return format_seconds(seconds) if seconds is not None else status


def change_cell(ratio: float, at: str) -> ListCell:
    """Return a change: new over old, and since when."""
    level = "bad" if ratio > 1 else "good"
    return ListCell(f"x {ratio:.3f} on {at}", value=ratio, level=level)
