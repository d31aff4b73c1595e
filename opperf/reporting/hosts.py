"""The hosts of a store as rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.moments import stamp
from opperf.reporting.text import clean

if TYPE_CHECKING:
    from collections.abc import Iterable

    from opperf.storing.database.factors import HostStanding


def host_rows(standings: Iterable[HostStanding], *, for_people: bool) -> list[dict[str, object]]:
    """Return one flat object a host; its factor is its times over those of others of its kind."""
    rows: list[dict[str, object]] = []
    for one in standings:
        host, factor = one.host, one.factor
        low, high = factor.interval if factor else (None, None)
        row: dict[str, object] = {
            "host": clean(host.name) if host.name else None,
            "machine": clean(host.machine_key),
            "kind": clean(host.kind_name),
            "kind_key": host.kind_key,
            "series": one.series,
            "first": stamp(one.first),
            "last": stamp(one.last),
        }
        if for_people:
            del row["kind_key"], row["first"]
            row["kind"], row["last"] = clean(host.kind), stamp(one.last)[:10]
            row["factor"] = f"{factor.ratio:.3f} [{low:.3f}, {high:.3f}]" if factor else None
        else:
            row |= {"factor": factor.ratio if factor else None, "low": low, "high": high}
        row |= {
            "operators": factor.operators if factor else 0,
            "against": factor.hosts if factor else 0,
        }
        rows.append(row)
    return rows
