"""A store of many runs: which there are, their results, and all of them as a DataFrame."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from opperf.api.html import to_html
from opperf.api.run import LoadedRun
from opperf.core.configuration.options import resolve
from opperf.core.errors import UsageError
from opperf.core.moments import stamp
from opperf.core.results.collection import frame_of
from opperf.core.units import MISSING
from opperf.reporting.layout import Column
from opperf.reporting.rows import rows_of
from opperf.storing.stores import open_at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.storing.database.connection import Database


class RunStore:
    """A store that was opened; each question opens it anew and sees what has come meanwhile."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def runs(self) -> list[str]:
        """Return the names of all runs, the oldest first."""
        return [name for name, _, _ in self.overview()]

    def overview(self) -> Sequence[tuple[str, int | None, int]]:
        """Return name, start in milliseconds and number of results of each run."""
        from opperf.storing.database.reading import list_runs

        with self.database.reading() as connection:
            return [(row.name, row.started_at, row.n) for row in list_runs(connection)]

    def load(self, run: str = "last") -> LoadedRun:
        """Return a run by its name, the beginning of it, or "last".

        Raises:
            UsageError: there is no such run.
        """
        from opperf.storing.database.reading import find_run, read_run

        with self.database.reading() as connection:
            number = find_run(connection, run)
            return LoadedRun(run, read_run(connection, number), self.warning())

    def warning(self) -> str | None:
        """Return what was left out as damaged, None where nothing was."""
        return str(self.database.damage) if self.database.damage.rows else None

    def to_frame(self) -> Any:
        """Return a DataFrame with a row a result of all runs, and the run that it is of.

        Raises:
            NotInstalledError: pandas is not installed.
        """
        rows = [
            {"run": name, "started_at": began_text(began), **row}
            for name, began, _ in self.overview()
            for row in rows_of(self.load(name))
        ]
        return frame_of(rows)

    def __repr__(self) -> str:
        overview = self.overview()
        results = sum(n for _, _, n in overview)
        return f"store {self.database.name}: {len(overview)} runs, {results} results"

    def _repr_html_(self) -> str:
        overview = self.overview()
        if not overview:
            return to_html([], [repr(self)])
        columns = [
            Column(header="run", cells=[name for name, _, _ in overview]),
            Column(header="began", cells=[began_text(began) for _, began, _ in overview]),
            Column(header="results", cells=[str(n) for _, _, n in overview], align="right"),
        ]
        return to_html(columns, [repr(self)])


def began_text(milliseconds: int | None) -> str:
    """Return when a run began; of a damaged one that is not known."""
    return MISSING if milliseconds is None else stamp(milliseconds)


def store(address: str | Path | None = None) -> RunStore:
    """Return the store at an address.

    Args:
        address: a file, or postgresql://user@host/database; by default the configuration's.

    Raises:
        UsageError: there is none.
        NotInstalledError: SQLAlchemy is not installed.
    """
    chosen = None if address is None else os.fspath(address)
    configuration = resolve({"store": chosen}, os.environ, Path.cwd())
    found = configuration["store"].value
    if found is None:
        raise UsageError(
            "no store is named; give a file or postgresql://user@host/database, or set it in "
            "OPPERF_STORE or opperf.toml"
        )
    return RunStore(open_at(str(found)))
