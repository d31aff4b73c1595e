"""Two stored runs side by side, or what `opperf ab` has stored: a verdict for what both have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from opperf.api.html import to_html
from opperf.api.run import LoadedRun, find_directory, load
from opperf.api.verdicts import stored_rows
from opperf.comparing.campaign import TIME
from opperf.comparing.stored import MIN_STORED_EFFECT, match
from opperf.comparing.stored_values import row_of_match
from opperf.comparing.total import Total
from opperf.core.errors import UsageError
from opperf.core.results.collection import frame_of
from opperf.reporting.metrics import refuse_of_the_time, require_names
from opperf.reporting.verdict_rows import flat
from opperf.reporting.verdict_table import columns_of, summary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.api.plots.plot import Plot
    from opperf.comparing.row import ComparedRow


@dataclass(frozen=True, repr=False)
class RunComparison:
    """The verdicts of b against a; `only_a` and `only_b` count what one of two runs alone has.

    `warning` says what of a stored comparison is damaged.
    """

    total: Total
    min_effect: float
    only_a: int = 0
    only_b: int = 0
    warning: str | None = None

    @property
    def rows(self) -> Sequence[ComparedRow]:
        """A row for each series that both runs measured."""
        return self.total.rows

    def __repr__(self) -> str:
        counts = ", ".join(f"{n} {verdict}" for verdict, n in self.total.counts().most_common())
        told = f"{len(self.total.compared)} compared: {counts}" if counts else "nothing in common"
        return told + (f"; {self.warning}" if self.warning else "")

    def _repr_html_(self) -> str:
        columns = columns_of(self.rows) if self.rows else []
        return to_html(columns, summary(self.total, self.min_effect) if self.rows else [repr(self)])

    def to_frame(self) -> Any:
        """Return a DataFrame with a row a verdict, as `opperf compare --format json` has it.

        Raises:
            NotInstalledError: pandas is not installed.
        """
        return frame_of([flat(row) for row in self.rows])

    def plot(self) -> Plot:
        """Return a plot of the ratios with their intervals, and of what is no change.

        Raises:
            NotInstalledError: matplotlib is not installed.
            UsageError: there is nothing to draw, or too much.
        """
        from opperf.api.plots.intervals import draw_ratios

        return draw_ratios(self.rows, self.min_effect, repr(self))


def compare(
    a: str | LoadedRun,
    b: str | LoadedRun | None = None,
    *,
    metric: str = TIME,
    min_effect: float = MIN_STORED_EFFECT,
) -> RunComparison:
    """Compare two stored runs, as `opperf compare` does; `opperf ab` tells far smaller changes.

    Of a comparison of `opperf ab`, which is named alone, the verdicts so far are returned. It has
    its own metric and smallest change of interest; of several arms there is a row for each
    contender, of a network's calls one for each call.

    Args:
        a: the baseline: what `load` takes, or what it returned. Or a comparison of `opperf ab`: its
            id or the beginning of it, "last", or its path.
        b: the contender, likewise.
        metric: what is compared, such as "peak_memory"; by default the time.
        min_effect: the smallest change of interest, a share.

    Raises:
        UsageError: there is no such run or metric, or `min_effect` is out of its range.
        NotComparableError: the same name means two things in the two runs.
    """
    if not 0 < min_effect <= 1:
        raise UsageError(f"min_effect {min_effect!r}: must be above 0 and up to 1, such as 0.02")
    if b is None:
        return compared(a)
    first, second = (run if isinstance(run, LoadedRun) else load(run) for run in (a, b))
    if metric != TIME:
        refuse_of_the_time(metric)
        require_names([metric], [*first, *second])
    matched = match(first, second)
    matched.require_same()
    rows = [row_of_match(found, metric, min_effect) for found in matched.matches]
    return RunComparison(Total(rows), min_effect, matched.only_a, matched.only_b)


def compared(run: str | LoadedRun) -> RunComparison:
    """Return what `opperf ab` has found.

    Raises:
        UsageError: it is a run.
    """
    directory = None if isinstance(run, LoadedRun) else find_directory(run)
    if directory is None or not directory.is_comparison:
        name = directory.label if directory else run.label if isinstance(run, LoadedRun) else run
        raise UsageError(
            f"{name} is a run: give a second one, or a comparison of `opperf ab` in its place"
        )
    rules, rows, warning = stored_rows(directory)
    return RunComparison(Total(rows), rules.min_effect, warning=warning)
