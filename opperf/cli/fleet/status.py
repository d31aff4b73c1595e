"""Say which hosts and kinds a fleet has, what they measure, and how far submissions are."""

from __future__ import annotations

import json
import sys
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from opperf.cli.fleet.common import add_store, fleet_store
from opperf.cli.messages import leaving_early
from opperf.core.units import format_bytes
from opperf.reporting.printing import print_rows
from opperf.reporting.text import clean

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Mapping, Sequence

    from opperf.fleet.client.progress import FleetProgress

SHOWN = 10
"""Submissions that are shown, the newest."""
FORMATS = ("table", "json")
MINUTE = 60.0
MAIN = ("host", "state", "calibrated")
"""What a narrow terminal shows before all else."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the form."""
    parser.add_argument(
        "--format", choices=FORMATS, default=FORMATS[0], help="for people, or for programs"
    )
    add_store(parser)


def execute(arguments: Namespace) -> int:
    """Read everything in one transaction, and print it."""
    store = fleet_store(arguments)
    from opperf.fleet.client.overview import read_overview

    with store.reading() as connection:
        found = read_overview(connection, SHOWN)
    with leaving_early():
        if arguments.format == "json":
            print(json.dumps(found.to_mapping(), indent=2))
            return 0
        print_rows([host_row(one) for one in found.hosts], "table", sys.stdout, keep=MAIN)
        for one in found.hosts:
            if one["reason"]:
                print(f"{one['host']} is {one['state']}: {clean(one['reason'])}")
        if not found.hosts:
            print("no host was ever in this fleet: opperf fleet worker --scheduler URL")
        print()
        print_rows([submission_row(*one) for one in found.submissions.items()], "table", sys.stdout)
        if not found.submissions:
            print("nothing was submitted yet: opperf run --fleet URL")
        print(*kind_lines(found.hosts), sep="\n")
    return 0


def host_row(host: Mapping[str, Any]) -> dict[str, Any]:
    """Return a host's row of the table."""
    return {
        "host": host["host"],
        "kind": host["kind"][:8],
        "cpu": host["cpu"],
        "memory": format_bytes(host["memory_bytes"]) if host["memory_bytes"] else "",
        "frameworks": " ".join(host["frameworks"]),
        "state": host["state"],
        "measures": clean(host["measures"] or ""),
        "done, last hour": host["done_last_hour"],
        "calibrated": day_of(host["calibrated_at"]),
    }


def day_of(moment: str | None) -> str:
    """Return month and day of a moment in UTC, "never" where there was none."""
    if moment is None:
        return "never"
    return f"{datetime.fromisoformat(moment).astimezone(timezone.utc):%m-%d}"


def submission_row(name: str, found: FleetProgress) -> dict[str, Any]:
    """Return a submission's row of the table."""
    counts = found.counts
    return {
        "submission": name,
        "jobs": found.jobs,
        **{state: counts.get(state, 0) for state in ("planned", "leased", "done", "failed")},
        "retried": found.retried,
        "jobs/h": f"{found.per_hour:.0f}" if found.per_hour else "",
        "left": f"{found.remaining / MINUTE:.0f} min" if found.remaining else "",
    }


def kind_lines(hosts: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return a line for each kind, with its hosts."""
    kinds: dict[str, list[Mapping[str, Any]]] = {}
    for host in hosts:
        kinds.setdefault(host["kind"], []).append(host)
    return [
        f"kind {kind}: {several[0]['cpu']}, {len(several)} hosts, "
        f"{sum(one['state'] == 'ready' for one in several)} ready"
        for kind, several in kinds.items()
    ]
