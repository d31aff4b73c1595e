"""What came of a submission: its results as one, and a line for each job that failed."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from opperf.cli.common.exit_codes import EMPTY, FAILED, INCONCLUSIVE, UNCOMPARED
from opperf.cli.common.filtering import facts_filter
from opperf.cli.common.messages import say
from opperf.cli.common.output import Output
from opperf.cli.networks.output import ModelsOutput
from opperf.cli.pairs.comparison import show_comparison
from opperf.cli.running.conduct import exit_code
from opperf.cli.tasks.output import TasksOutput
from opperf.reporting.subjects import Run
from opperf.storing import RunDirectory
from opperf.storing.run_directory import MANIFEST, RESULTS

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from sqlalchemy import Connection, Row

    from opperf.core.results.result import Result
    from opperf.storing.database.connection import Database

WORSE = (FAILED, INCONCLUSIVE, UNCOMPARED)
"""Exit codes of a comparison that are worse than one that found a change."""


def output_of(store: Database, name: str, arguments: Namespace) -> Output:
    """Return how the results of a submission are shown: as the verb does that measured them."""
    from opperf.fleet.client.progress import list_jobs

    with store.reading() as connection:
        verbs = {row.words[0] for row in list_jobs(connection, name)}
    output = Output.of(arguments)
    if verbs == {"model"}:
        return ModelsOutput.of(arguments)
    if verbs == {"task"}:
        return TasksOutput(output.form, output.path, output.file_form, output.quiet)
    return output


def show_outcome(store: Database, name: str, output: Output, runs_dir: Path) -> int:
    """Print what a submission found, and return the exit code."""
    from opperf.fleet.client.progress import list_jobs, read_results

    with store.reading() as connection:
        jobs = list_jobs(connection, name)
        comparing = any(row.words[0] == "ab" for row in jobs)
        found = {} if comparing else read_results(connection, jobs)
        directories = keep_comparisons(connection, jobs, runs_dir) if comparing else {}
    ended = [row for row in jobs if row.state in {"failed", "cancelled"}]
    for row in ended:
        say(f"job {row.id} ({row.title}) {row.state}: {row.reason or 'by opperf fleet cancel'}")
    if comparing:
        code = show_comparisons(jobs, directories, output.form)
    else:
        code = show_results(name, jobs, found, output)
    return FAILED if ended else code


def show_results(
    name: str, jobs: Sequence[Row[Any]], found: Mapping[int, list[Result]], output: Output
) -> int:
    """Print the results, for people in a table for each kind of host or, where asked for, host."""
    results = [result for several in found.values() for result in several]
    groups: dict[str, list[Result]] = {}
    for row in jobs:
        wanted = row.requirement
        where = f"host {row.host}" if wanted["hosts"] else f"kind {wanted['kind']}"
        groups.setdefault(where, []).extend(found.get(row.id, ()))
    apart = output.form in {"table", "md"} and output.path is None
    for where, several in (groups if apart else {"": results}).items():
        output.show(Run(name=f"{name} {where}".strip(), results=several))
    return exit_code(results) if results else EMPTY


def keep_comparisons(
    connection: Connection, jobs: Sequence[Row[Any]], runs_dir: Path
) -> dict[int, RunDirectory]:
    """Bring comparisons' directories from the store to this machine; those that are here stay."""
    from opperf.fleet.client.progress import read_output

    directories = {}
    for row in jobs:
        if row.state != "done" or row.run_name is None:
            continue
        path = runs_dir / row.run_name
        contents = {one: read_output(connection, row.id, one) for one in (MANIFEST, RESULTS)}
        with suppress(FileExistsError):
            path.mkdir(parents=True)
            for one, content in contents.items():
                (path / one).write_bytes(content or b"")
        directories[row.id] = RunDirectory(path)
    return directories


def show_comparisons(
    jobs: Sequence[Row[Any]], directories: Mapping[int, RunDirectory], form: str
) -> int:
    """Print each comparison behind the host that made it, and return the worst exit code."""
    codes = [row.exit_code for row in jobs if row.id in directories]
    for row in jobs:
        if row.id in directories:
            say(f"on {row.host}: {directories[row.id].path}")
            show_comparison(directories[row.id], form, facts_filter("", of_calls=False))
    worst = [code for code in WORSE if code in codes]
    return worst[0] if worst else max(codes, default=EMPTY)
