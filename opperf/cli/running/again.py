"""Measuring rows of an earlier run again, as a run of its own that says what it repeats."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from opperf.cli.common.arranging import in_states, states_of
from opperf.cli.common.filtering import facts_filter, matching
from opperf.cli.common.manifest import selection_from
from opperf.core.errors import UsageError
from opperf.core.results.superseding import counting
from opperf.planning.due import row_of_result, rows_where
from opperf.storing import RunDirectory, read

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Mapping, Sequence

    from opperf.core.configuration.options import Configuration
    from opperf.core.results.result import Result
    from opperf.planning.selection import Selection
    from opperf.planning.task import Task

SAME = ("framework", "device", "dtype", "size", "threads", "seed", "cache", "process", "cores")
"""Options that are the earlier run's; those of how precisely to measure may differ."""
MAY_DIFFER = ("precision", "budget", "warmup", "runs")


@dataclass(frozen=True, kw_only=True)
class Repetition:
    """Which rows of which run are measured again: those in these states that the filter leaves."""

    run: str
    states: tuple[str, ...] = ()
    filter: str = ""

    def to_manifest(self) -> dict[str, Any]:
        """Return what run.json says of it."""
        return {"run": self.run, "only": [*self.states], "filter": self.filter}

    def tasks(self, tasks: Sequence[Task], results: Sequence[Result]) -> list[Task]:
        """Return those rows of the earlier run's tasks that are measured again."""
        left = matching(in_states(results, self.states), facts_filter(self.filter))
        rows = {row_of_result(result) for result in left if not result.companion}
        return rows_where(tasks, lambda row: row in rows)


def add_again(parser: ArgumentParser) -> None:
    """Add the run that is repeated."""
    parser.add_argument(
        "--again", metavar="RUN",
        help="measure rows of this run once more, as a new run: those of --only, or all",
    )  # fmt: skip


def asked_again(
    arguments: Namespace, configuration: Configuration
) -> tuple[Repetition, Selection] | None:
    """Return what is measured again, and what its run was asked to measure.

    Raises:
        UsageError: there is no such run, or something is asked for that is the earlier run's.
    """
    states = states_of(arguments.only)
    if not arguments.again:
        if states:
            raise UsageError("--only needs --again RUN: it chooses which of its rows are measured")
        return None
    flags = [*(flag for flag in ("calls", "input", "check_only", "sweep") if vars(arguments)[flag])]
    flags += [name for name in SAME if configuration[name].origin == "command line"]
    if flags or arguments.words:
        beside = arguments.words[0] if arguments.words else f"--{flags[0].replace('_', '-')}"
        raise UsageError(f"{beside} does not go with --again: choose rows of the run by -k, --only")
    directory = RunDirectory.find(Path(configuration["runs_dir"].value), arguments.again)
    manifest = directory.manifest()
    if manifest.get("kind") or "calls" in manifest:
        was = manifest["command"]
        raise UsageError(f"--again {directory.run_id} is no run of operators; it was: {was}")
    selection = selection_from(manifest["selection"])
    given = {
        name: configuration[name].value
        for name in MAY_DIFFER
        if configuration[name].origin == "command line"
    }
    selection = replace(selection, settings=replace(selection.settings, **given))
    asked = Repetition(run=directory.run_id, states=states, filter=arguments.filter)
    return asked, selection


def again_from(manifest: Mapping[str, Any]) -> Repetition | None:
    """Return what a run repeats, None where it does not."""
    found = manifest.get("again")
    return found and Repetition(
        run=found["run"], states=tuple(found["only"]), filter=found["filter"]
    )


def earlier_results(again: Repetition, runs_dir: Path) -> list[Result]:
    """Return the results that count of the run that is repeated.

    Raises:
        UsageError: it is not there any more.
    """
    return counting(read(RunDirectory.find(runs_dir, again.run).results_path).results)
