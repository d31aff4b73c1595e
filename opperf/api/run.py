"""A stored run: its results, in one line, as a table and as a DataFrame."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from opperf.api.html import to_html
from opperf.core.configuration.options import resolve
from opperf.core.errors import UsageError
from opperf.core.results.collection import Results, frame_of
from opperf.reporting.rows import rows_of
from opperf.reporting.sheet import Sheet
from opperf.reporting.table import endings, full, legend
from opperf.reporting.wording import counts_text
from opperf.storing import RunDirectory, read

if TYPE_CHECKING:
    from collections.abc import Iterable

    from opperf.core.results.result import Result


class LoadedRun(Results):
    """The results of a run, a list; `label` names it, `warning` says what of it is damaged."""

    def __init__(self, label: str, results: Iterable[Result], warning: str | None = None) -> None:
        super().__init__(results)
        self.label = label
        self.warning = warning

    def __repr__(self) -> str:
        counts = counts_text(result.status for result in self)
        return f"run {self.label}: {counts}" + (f"; {self.warning}" if self.warning else "")

    def _repr_html_(self) -> str:
        sheet = Sheet(self)
        if not sheet.rows:
            return to_html([], [repr(self)])
        columns = full(sheet)
        return to_html(columns, [repr(self), *legend(sheet, columns), *endings(sheet, self)])

    def to_frame(self) -> Any:
        """Return a DataFrame with a row a result, of the columns of `opperf show --format csv`.

        Seconds, FLOP/s, B/s and bytes; what is missing is None, never zero.

        Raises:
            NotInstalledError: pandas is not installed.
        """
        return frame_of(rows_of(self))


def load(run: str = "last", *, runs_dir: str | Path | None = None) -> LoadedRun:
    """Return a run of this machine, or a file of results.

    Args:
        run: a run's id or its beginning, "last", or the path of a run directory or results file.
        runs_dir: the directory of all runs; by default the configuration's.

    Raises:
        UsageError: there is no such run, it is damaged, or it is a comparison of `opperf ab`.
    """
    chosen = None if runs_dir is None else os.fspath(runs_dir)
    configuration = resolve({"runs_dir": chosen}, os.environ, Path.cwd())
    directory = RunDirectory.find(Path(configuration["runs_dir"].value), run)
    if directory.is_comparison:
        raise UsageError(
            f"{directory.run_id} is a comparison of `opperf ab`, with verdicts and no results; "
            "`opperf show` tells them"
        )
    found = read(directory.results_path)
    return LoadedRun(directory.label, found.results, found.warning)
