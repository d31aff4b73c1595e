"""Writing a site: the pages of what is new, those that it changes, the index, and nothing else.

Pages come before whatever links to them, and what is no part of the site any more goes last, so
that a site whose writer was killed has no dead link, and the next call finishes it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from opperf.core.disk import write_whole
from opperf.core.errors import UsageError
from opperf.reporting.site.assets import all_assets
from opperf.reporting.site.folder import INDEX, writing
from opperf.reporting.site.index import index_document, names_of, remark_of
from opperf.reporting.site.ledger import FILE, Ledger, OperatorEntry, RunEntry, ledger_of
from opperf.reporting.site.pages import (
    OperatorJob,
    RunJob,
    source_of,
    write_operators,
    write_run,
)
from opperf.reporting.site.past import Fragment, OperatorPast
from opperf.reporting.site.points import unpack_points
from opperf.reporting.site.processes import in_processes
from opperf.storing.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from opperf.reporting.site.folder import SiteFiles
    from opperf.reporting.site.past import Acknowledgments
    from opperf.reporting.site.source import SiteSource

BATCH = 8
"""Operators whose pages a process writes before it is given others."""


class SiteSummary(NamedTuple):
    """What a call did: pages of the site, and files that it wrote and removed."""

    pages: int
    written: int
    removed: int


class SiteInput(NamedTuple):
    """What a site is made of; `renderer` changes whenever all pages have to be written anew."""

    sources: Sequence[SiteSource]
    renderer: str
    acknowledgments: Acknowledgments


def write_site(
    folder: Path, given: SiteInput, tell: Callable[[str], None], *, force: bool = False
) -> SiteSummary:
    """Write a site into a folder, or bring the one that is there up to date.

    Args:
        folder: an empty one, one that is yet to be made, or one with a site.
        given: what it is made of.
        tell: is given a line for each run of which something is left out.
        force: whether to write among somebody else's files, and every page anew.

    Raises:
        UsageError: the folder holds something else, or another process writes it.
        StorageError: a file cannot be written.
    """
    with writing(folder, force=force) as files:
        kept = ledger_of((folder / FILE).read_bytes()) or Ledger()
        before = kept if kept.renderer == given.renderer and not force else Ledger()
        written = sum(files.write(asset.path, asset.content) for asset in all_assets())
        ledger = Ledger(renderer=given.renderer)
        for source, (entry, count) in runs_of(files, given.sources, before):
            ledger.runs[source.name] = entry
            written += count
            if remark_of(entry):
                tell(f"{source.name}: {remark_of(entry)}")
        for name, (operator, count) in operators_of(files, given, ledger, before):
            ledger.operators[name] = operator
            written += count
        return finish(files, ledger, written)


def runs_of(
    files: SiteFiles, sources: Sequence[SiteSource], before: Ledger
) -> Iterator[tuple[SiteSource, tuple[RunEntry, int]]]:
    """Yield each run with its entry and how many files were written for it, in their order."""
    jobs = [RunJob(files, one) for one in sources if not is_current(files, one, before)]
    found = in_processes(write_run, jobs)
    waiting = {job.source.name for job in jobs}
    for source in sources:
        if source.name in waiting:
            yield source, next(found)
        else:
            yield source, (before.runs[source.name], 0)


def is_current(files: SiteFiles, source: SiteSource, before: Ledger) -> bool:
    """Return whether the files of a run are as they would be written."""
    entry = before.runs.get(source.name)
    if entry is None or entry.stamp != source.stamp:
        return False
    wanted = ((entry.page, entry.size), (entry.points, entry.points_size))
    return all(files.holds(name, size) for name, size in wanted if name)


def operators_of(
    files: SiteFiles, given: SiteInput, ledger: Ledger, before: Ledger
) -> Iterator[tuple[str, tuple[OperatorEntry, int]]]:
    """Yield each operator with its entry and how many files were written for it, by name."""
    pasts = pasts_of(files, given, ledger)
    late = [past for past in pasts if not is_up_to_date(files, past, before)]
    batches = [late[start : start + BATCH] for start in range(0, len(late), BATCH)]
    jobs = [OperatorJob(files, batch) for batch in batches]
    found = (one for batch in in_processes(write_operators, jobs) for one in batch)
    waiting = {past.operator for past in late}
    for past in pasts:
        if past.operator in waiting:
            yield past.operator, next(found)
        else:
            yield past.operator, (before.operators[past.operator], 0)


def is_up_to_date(files: SiteFiles, past: OperatorPast, before: Ledger) -> bool:
    """Return whether an operator's page is as it would be written."""
    entry = before.operators.get(past.operator)
    return (
        entry is not None
        and files.holds(entry.page, entry.size)
        and entry.source == source_of(past)
    )


def pasts_of(files: SiteFiles, given: SiteInput, ledger: Ledger) -> list[OperatorPast]:
    """Return what is known of each operator, by name, its runs in the order of their beginning.

    Raises:
        StorageError: a file of points was damaged after it was written.
    """
    fragments: dict[str, list[Fragment]] = {}
    environments: dict[str, bytes] = {}
    runs = [(entry.began, name, entry.points) for name, entry in ledger.runs.items()]
    for _, run, file in sorted(runs):
        if not file:
            continue
        try:
            found = unpack_points((files.path / file).read_bytes())
        except (OSError, UsageError) as error:
            path = files.path / file
            raise StorageError(f"{path}: {error}; remove it, then give the command again") from None
        environments.update((key, bytes(facts)) for key, facts in found.environments.items())
        for operator, series in found.operators.items():
            fragments.setdefault(operator, []).append(Fragment(run, bytes(series)))
    return [
        OperatorPast(name, fragments[name], environments, given.acknowledgments)
        for name in sorted(fragments)
    ]


def finish(files: SiteFiles, ledger: Ledger, written: int) -> SiteSummary:
    """Write the index and the ledger, and remove what is no part of the site any more."""
    entries: list[RunEntry | OperatorEntry] = [*ledger.runs.values(), *ledger.operators.values()]
    names = names_of(entries) | {asset.path for asset in all_assets()}
    written += files.write(INDEX, index_document(ledger))
    removed = files.remove_all_but(names)
    content = ledger.to_bytes()
    path = files.path / FILE
    if path.read_bytes() != content:
        try:
            write_whole(path, content)
        except OSError as error:
            raise StorageError(f"cannot write {path}: {error.strerror}") from error
        written += 1
    pages = 1 + sum(bool(entry.page) for entry in entries)
    return SiteSummary(pages, written, removed)
