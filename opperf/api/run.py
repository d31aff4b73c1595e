"""A stored run: its results, in one line, as a table and as a DataFrame."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from opperf.api.html import to_html
from opperf.core.configuration.options import resolve
from opperf.core.errors import UsageError, unknown
from opperf.core.results.collection import Results, frame_of
from opperf.core.statistics.scaling import FEWEST
from opperf.reporting.rows import rows_of
from opperf.reporting.series import series
from opperf.reporting.sheet import Sheet
from opperf.reporting.table import endings, full, legend
from opperf.reporting.wording import counts_text
from opperf.storing import RunDirectory, read

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from opperf.api.plots.plot import Plot
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

    def plot(self, kind: str | None = None) -> Plot:
        """Return a plot; it shows itself in a notebook, and `save(path)` writes it to a file.

        Args:
            kind: "intervals" (times side by side), "sizes" (time against size, with the line
                through it) or "roofline"; by default sizes of a sweep, else intervals.

        Raises:
            NotInstalledError: matplotlib is not installed.
            UsageError: there is no such kind, nothing to draw, or too much.
        """
        from opperf.api.plots.intervals import draw_intervals
        from opperf.api.plots.sizes import draw_roofline, draw_sizes

        kinds = {"intervals": draw_intervals, "sizes": draw_sizes, "roofline": draw_roofline}
        chosen = kind or ("sizes" if is_sweep(self) else "intervals")
        if chosen not in kinds:
            raise UsageError(unknown("kind of plot", chosen, kinds))
        return kinds[chosen](self, f"run {self.label}")


def is_sweep(results: Sequence[Result]) -> bool:
    """Return whether something was measured in as many sizes as show how its time grows."""
    return any(len(one.points) >= FEWEST for one in series(results))


def load(run: str = "last", *, runs_dir: str | Path | None = None) -> LoadedRun:
    """Return a run of this machine, or a file of results.

    Args:
        run: a run's id or its beginning, "last", or the path of a run directory or results file.
        runs_dir: the directory of all runs; by default the configuration's.

    Raises:
        UsageError: there is no such run, it is damaged, or it is a comparison of `opperf ab`.
    """
    directory = find_directory(run, runs_dir)
    if directory.is_comparison:
        raise UsageError(
            f"{directory.run_id} is a comparison of `opperf ab`, with verdicts and no results; "
            f"opperf.compare({directory.run_id!r}) has them"
        )
    found = read(directory.results_path)
    return LoadedRun(directory.label, found.results, found.warning)


def find_directory(run: str, runs_dir: str | Path | None = None) -> RunDirectory:
    """Return where a run or a comparison is stored.

    Raises:
        UsageError: there is none of this name.
    """
    chosen = None if runs_dir is None else os.fspath(runs_dir)
    configuration = resolve({"runs_dir": chosen}, os.environ, Path.cwd())
    return RunDirectory.find(Path(configuration["runs_dir"].value), run)
