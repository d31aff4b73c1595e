"""The results of a run, from its folder or from a store."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from opperf.cli.common.messages import say
from opperf.cli.common.options import configuration_of
from opperf.cli.common.stores import reading, required_store
from opperf.core.errors import UsageError
from opperf.storing import RunDirectory, read

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from opperf.core.results.result import Result
    from opperf.storing.database.connection import Database


def find_results(arguments: Namespace, run: str) -> Sequence[Result]:
    """Return all results of a run; --store says that it is one of the store.

    Raises:
        UsageError: There is no such run, or it is damaged.
    """
    return find_run(arguments, run)[1]


def find_run(arguments: Namespace, run: str) -> tuple[str, Sequence[Result]]:
    """Return a run's name and all of its results, found in the same way."""
    configuration = configuration_of(arguments)
    if configuration["store"].origin == "command line":
        return run, stored_results(required_store(arguments), run)
    directory = RunDirectory.find(Path(configuration["runs_dir"].value), run)
    if directory.is_comparison:
        raise UsageError(
            f"{directory.run_id} is a comparison of `opperf ab`, whose verdicts `opperf show` and "
            "`opperf report` tell; name it alone"
        )
    found = read(directory.results_path)
    if found.warning:
        say(found.warning)
    return directory.label, found.results


def stored_results(store: Database, run: str) -> Sequence[Result]:
    """Return the results of a run that a store holds."""
    from opperf.storing.database.reading import find_run, read_run

    with reading(store) as connection:
        return read_run(connection, find_run(connection, run))
