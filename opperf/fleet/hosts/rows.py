"""The hosts of a fleet as rows: what they are, and how they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select, update
from sqlalchemy.dialects.postgresql import insert

from opperf.fleet.store import FLEET_VERSION
from opperf.storing.database.fleet_tables import host

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import Connection, Row

READY, AWAY, QUARANTINED, REFUSED = "ready", "away", "quarantined", "refused"


def write_host(
    connection: Connection, facts: Mapping[str, Any], state: str, reason: str = ""
) -> None:
    """Write what a host says of itself and how it is."""
    values = {
        "kind": facts["kind"],
        "version": FLEET_VERSION,
        "facts": dict(facts),
        "state": state,
        "reason": reason,
        "seen_at": func.now(),
    }
    query = insert(host).values(name=facts["host"], **values)
    connection.execute(query.on_conflict_do_update(index_elements=["name"], set_=values))


def set_state(connection: Connection, name: str, state: str, reason: str = "") -> None:
    """Write how a host is."""
    values = {"state": state, "reason": reason, "seen_at": func.now()}
    connection.execute(update(host).where(host.c.name == name).values(**values))


def list_hosts(connection: Connection) -> Sequence[Row[Any]]:
    """Return all hosts that were ever seen, by name."""
    return connection.execute(select(host).order_by(host.c.name)).all()


def list_states(connection: Connection) -> dict[str, Any]:
    """Return the version and state of each host that was ever seen, without its facts."""
    query = select(host.c.name, host.c.version, host.c.state)
    return {row.name: row for row in connection.execute(query)}


def read_facts(connection: Connection, names: Sequence[str]) -> dict[str, Mapping[str, Any]]:
    """Return the facts of some hosts."""
    query = select(host.c.name, host.c.facts).where(host.c.name.in_(names))
    return {row.name: row.facts for row in connection.execute(query)} if names else {}
