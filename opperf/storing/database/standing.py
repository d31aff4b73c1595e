"""How the newest results stand against those of a baseline."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

from sqlalchemy import select

from opperf.history.analysis import own_threshold, times_of
from opperf.history.differences import foremost
from opperf.history.model import Standing
from opperf.storing.database import schema
from opperf.storing.database.cells import leaving_out, rows
from opperf.storing.database.histories import environment_at, points_of, subject_of
from opperf.storing.database.hosts import hosts_of

if TYPE_CHECKING:
    from sqlalchemy import Connection


def standings(connection: Connection, run: int) -> list[Standing]:
    """Return every series that a run has a time of, with its newest session's time."""
    table = schema.result.c
    measured = select(table.series_id).where(table.run_id == run, table.median > 0)
    names = rows(connection, select(schema.run.c.name).where(schema.run.c.id == run))
    name = next((row.name for row in names), None)
    query = select(schema.series).where(schema.series.c.id.in_(measured))
    chosen = [*rows(connection, query.order_by(schema.series.c.id))]
    points = points_of(connection, [row.id for row in chosen])
    hosts = hosts_of(connection)
    found = []
    for row in chosen:
        timed = [point for point in points.get(row.id, ()) if point.value is not None]
        then = [point for point in timed if point.run == name]
        if not then:
            continue  # its results of this run are damaged
        with leaving_out(connection, f"series {row.id}"):
            found.append(
                Standing(
                    subject=subject_of(row, hosts),
                    baseline=median(times_of(then)),
                    newest=times_of(timed)[-1],
                    at=timed[-1].at,
                    threshold=own_threshold(timed),
                    differences=foremost(
                        environment_at(connection, row.id, then[-1].at),
                        environment_at(connection, row.id, timed[-1].at),
                    ),
                )
            )
    return found
