"""Write all runs and comparisons as a static site: `opperf report --site DIR`."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from opperf.cli.calls.run import ranked_networks
from opperf.cli.common.exit_codes import EMPTY
from opperf.cli.common.filtering import facts_filter, matching
from opperf.cli.common.finding import stored_results
from opperf.cli.common.messages import say
from opperf.cli.common.options import configuration_of
from opperf.cli.common.stores import reading, required_store
from opperf.cli.reporting.arms import comparison_of_arms
from opperf.core.errors import UsageError, quote_path
from opperf.core.results.identity import CALL
from opperf.reporting.site.source import SiteContent
from opperf.reporting.subjects import Run
from opperf.storing import RunDirectory
from opperf.storing.quick_reading import read_quickly
from opperf.storing.run_directory import list_runs

if TYPE_CHECKING:
    from opperf.reporting.site.build import SiteInput
    from opperf.reporting.site.past import Acknowledgments
    from opperf.reporting.site.source import SiteSource

NEEDED = ("filter", "runs_dir", "store")
"""The flags by which another process finds a run; the parser's own things cannot be sent there."""
ALONE = ("run", "ab", "since", "github", "only", "files")
"""What a site, which is of all runs, has no place for."""


def report_site(arguments: Namespace) -> int:
    """Write a site, or bring it up to date, and say what that came to."""
    for name in ALONE:
        if getattr(arguments, name):
            raise UsageError(
                "--site: is of all runs, and stands alone; beside it there are -k, --runs-dir, "
                "--store and --force"
            )
    facts_filter(arguments.filter, of_calls=True)
    given = site_input(arguments)
    folder = Path(arguments.site)
    if not given.sources:
        say("there are no runs to make a site of: `opperf run` first")
        return EMPTY
    from opperf.reporting.site.build import write_site

    found = write_site(folder, given, say, force=arguments.force)
    changed = f"{found.written} files written, {found.removed} removed"
    say(f"wrote {quote_path(folder / 'index.html')}: {found.pages} pages, {changed}")
    return 0


def site_input(arguments: Namespace) -> SiteInput:
    """Return what a site is made of: a store that the command line names, else all runs."""
    from opperf.reporting.site.build import SiteInput
    from opperf.reporting.site.ledger import renderer_of

    configuration = configuration_of(arguments)
    flags = Namespace(**{name: getattr(arguments, name) for name in NEEDED})
    if configuration["store"].origin == "command line":
        sources, known = sources_of_store(flags)
        return SiteInput(sources, renderer_of("store", flags.filter), known)
    runs_dir = Path(configuration["runs_dir"].value)
    return SiteInput(sources_of_folder(flags, runs_dir), renderer_of("runs", flags.filter), {})


@dataclass(frozen=True)
class FolderSource:
    """A run or a comparison in its run directory."""

    name: str
    stamp: str
    path: Path
    arguments: Namespace

    def load(self) -> SiteContent:
        """Return what the filter leaves of it."""
        directory = RunDirectory(self.path)
        if directory.is_comparison:
            condition = facts_filter(self.arguments.filter)
            found = comparison_of_arms(directory, condition)
            if isinstance(found, int):
                raise UsageError("it holds no pair yet that the filter leaves")
            return SiteContent(subject=found)
        read = read_quickly(directory.results_path)
        of_calls = any(each.subject and each.subject.kind == CALL for each in read.results)
        condition = facts_filter(self.arguments.filter, of_calls=of_calls)
        results = matching(read.results, condition) if self.arguments.filter else read.results
        networks = ranked_networks(self.arguments, self.name, self.name, results)
        run = Run(name=self.name, results=results, networks=networks)
        return SiteContent(subject=run, warning=read.warning)


@dataclass(frozen=True)
class StoreSource:
    """A run in a store."""

    name: str
    stamp: str
    arguments: Namespace

    def load(self) -> SiteContent:
        """Return what the filter leaves of it."""
        results = stored_results(required_store(self.arguments), self.name)
        of_calls = any(each.subject and each.subject.kind == CALL for each in results)
        condition = facts_filter(self.arguments.filter, of_calls=of_calls)
        return SiteContent(subject=Run(name=self.name, results=matching(results, condition)))


def sources_of_folder(arguments: Namespace, runs_dir: Path) -> list[SiteSource]:
    """Return the runs and comparisons in a directory of runs, oldest first."""
    return [
        FolderSource(name, stamp_of(runs_dir / name), runs_dir / name, arguments)
        for name in list_runs(runs_dir)
    ]


def stamp_of(directory: Path) -> str:
    """Return what changes whenever a file of a run does: their sizes and times."""
    try:
        found = sorted((one.name, one.stat()) for one in directory.iterdir() if one.is_file())
    except OSError as error:
        return f"{error.strerror}"
    return " ".join(f"{name}:{stat.st_size}:{stat.st_mtime_ns}" for name, stat in found)


def sources_of_store(arguments: Namespace) -> tuple[list[SiteSource], Acknowledgments]:
    """Return the runs of a store, oldest first, and the changes that somebody acknowledged."""
    store = required_store(arguments)
    from opperf.storing.database.overview import acknowledgments, stored_runs

    with reading(store) as connection:
        sources: list[SiteSource] = [
            StoreSource(name, stamp, arguments) for name, stamp in stored_runs(connection)
        ]
        return sources, acknowledgments(connection)
