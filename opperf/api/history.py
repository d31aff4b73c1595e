"""The histories of an operator in a store: in a line, as a table, as a DataFrame and as a plot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.api.html import to_html
from opperf.api.store import store as open_store
from opperf.core.moments import day, parse_moment
from opperf.core.results.collection import frame_of
from opperf.core.units import format_quantity
from opperf.history.model import TIME, History
from opperf.reporting.history import history_rows
from opperf.reporting.layout import Column
from opperf.reporting.wording import inputs_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from opperf.api.plots.plot import Plot


class Histories(list[History]):
    """The series of an operator, each over its sessions, as a list of `History`."""

    def __init__(self, operator: str, histories: Iterable[History]) -> None:
        super().__init__(histories)
        self.operator = operator

    def __repr__(self) -> str:
        changes = sum(len(history.changes) for history in self)
        sessions = sum(len(history.points) for history in self)
        return f"{self.operator}: {len(self)} series, {sessions} sessions, {changes} changes"

    def _repr_html_(self) -> str:
        if not self:
            return to_html([], [repr(self)])
        rows = [row_of_history(history) for history in self]
        columns = [
            Column(header=header, cells=cells, align="right" if header == "newest" else "left")
            for header, cells in zip(HEADERS, zip(*rows, strict=True), strict=True)
        ]
        return to_html(columns, [repr(self)])

    def to_frame(self) -> Any:
        """Return a DataFrame with a row a session, as `opperf history --format json` has it.

        Raises:
            NotInstalledError: pandas is not installed.
        """
        return frame_of(history_rows(self))

    def plot(self) -> Plot:
        """Return a plot: a panel a series, its values with their intervals, and its changes.

        Raises:
            NotInstalledError: matplotlib is not installed.
            UsageError: there is nothing to draw, or too much.
        """
        from opperf.api.plots.histories import draw_histories

        return draw_histories(self)


HEADERS = (
    "series", "framework", "inputs", "machine", "from", "to", "sessions", "newest", "changes",
)  # fmt: skip


def row_of_history(history: History) -> tuple[str, ...]:
    """Return the cells of a series."""
    subject, points = history.subject, history.points
    newest = next((point.value for point in reversed(points) if point.value is not None), None)
    changes = [f"{day(each.at)}: x{each.ratio:.3f}" for each in history.changes]
    return (
        f"{subject.operator} {subject.direction}",
        f"{subject.framework}, {subject.device}",
        inputs_text(subject.inputs),
        subject.machine_key,
        day(points[0].at),
        day(points[-1].at),
        str(len(points)),
        format_quantity(newest, history.metric.unit),
        ", ".join(changes),
    )


def history(
    operator: str,
    *,
    store: str | None = None,
    k: str = "",
    machine: str | None = None,
    metric: str = TIME.name,
    since: str | None = None,
) -> Histories:
    """Return the histories of an operator, as `opperf history` prints them.

    Args:
        operator: its name, such as "Dot".
        store: the file or address of the store; by default the configuration's.
        k: a filter, such as "framework=mxnet and dtype=float32".
        machine: on the machine whose key begins so.
        metric: what is shown, such as "peak_memory"; by default the time.
        since: from then on: "2026-11-21", "90d", "2w".

    Raises:
        UsageError: there is no such store, operator or metric.
        NotInstalledError: SQLAlchemy is not installed.
    """
    database = open_store(store).database
    from opperf.storing.database.histories import histories
    from opperf.storing.database.selection import metric_values, select_series

    with database.reading() as connection:
        rows = [row.id for row in select_series(connection, operator, k, {}, machine)]
        values = None if metric == TIME.name else metric_values(connection, rows, metric)
        from_then = None if since is None else parse_moment(since)
        return Histories(operator, histories(connection, rows, from_then, values))
