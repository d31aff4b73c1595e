"""The hosts of a store, by what the environments of their newest results say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, select

from opperf.core.errors import UsageError, unknown
from opperf.history.host import host_of
from opperf.storing.database import schema
from opperf.storing.database.cells import leaving_out, rows
from opperf.storing.database.importing import stored_lines, whole_line
from opperf.storing.reading import parse_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy import Connection

    from opperf.history.host import MeasuredHost


def hosts_of(connection: Connection) -> dict[str, MeasuredHost]:
    """Return the hosts of a store by their machines' keys, in the order of these."""
    table = schema.series.c
    newest = select(table.machine_key, func.max(table.id).label("series")).group_by(
        table.machine_key
    )
    found = {}
    for row in rows(connection, newest.order_by(table.machine_key)):
        with leaving_out(connection, f"the environment of machine {row.machine_key}"):
            host = newest_host(connection, row.series)
            if host is not None:
                found[row.machine_key] = host
    return found


def newest_host(connection: Connection, series: int) -> MeasuredHost | None:
    """Return the host of a series by its newest result, None where it has none."""
    table = schema.result.c
    query = stored_lines().where(table.series_id == series).order_by(table.started_at.desc())
    for row in rows(connection, query.limit(1)):
        return host_of(parse_line(whole_line(row)).environment)
    return None


def chosen_machines(
    connection: Connection, host: str | None, kind: str | None
) -> frozenset[str] | None:
    """Return the keys of the machines of a host and of a kind, None where neither is asked for.

    Args:
        connection: of the store.
        host: a host's name, or the key of its machine.
        kind: the beginning of a kind's key, or part of its name, in any case.

    Raises:
        UsageError: The store has no such host or kind, or no host that is of this kind.
    """
    if host is None and kind is None:
        return None
    hosts = hosts_of(connection)
    chosen = [
        one
        for one in hosts.values()
        if host is None or host.lower() in {one.label.lower(), one.machine_key.lower()}
    ]
    if not chosen:
        names = sorted(one.label for one in hosts.values())
        raise UsageError(unknown("host", str(host), names, " in the store"))
    found = [one for one in chosen if kind is None or is_of_kind(one, kind)]
    if not found:
        raise UsageError(unknown("kind", str(kind), kinds_of(chosen), " in the store"))
    return frozenset(one.machine_key for one in found)


def is_of_kind(host: MeasuredHost, kind: str) -> bool:
    """Return whether a host is of a kind that is named by part of its name or by its key."""
    return host.kind_key.startswith(kind.lower()) or kind.lower() in host.kind.lower()


def kinds_of(hosts: Iterable[MeasuredHost]) -> list[str]:
    """Return what the kinds of hosts are called, each once."""
    return sorted({one.kind for one in hosts})
