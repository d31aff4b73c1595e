"""Say which hosts and kinds a fleet has, what they measure, and how far submissions are."""

from __future__ import annotations

import json
import sys
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

from opperf.cli.common.messages import leaving_early, say
from opperf.cli.common.output import check_writable
from opperf.cli.fleet.common import add_store, fleet_store
from opperf.core.disk import write_whole
from opperf.core.units import format_bytes
from opperf.reporting.printing import print_rows
from opperf.reporting.text import clean
from opperf.storing.errors import StorageError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Mapping

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
    parser.add_argument(
        "--html", type=Path, metavar="FILE", help="write it as one page that needs no other file"
    )
    parser.add_argument("--force", action="store_true", help="replace an existing --html")
    add_store(parser)


def execute(arguments: Namespace) -> int:
    """Read everything in one transaction, and print or write it."""
    path: Path | None = arguments.html
    if path is not None:
        check_writable(path, force=arguments.force, flag="--html")
    store = fleet_store(arguments)
    from opperf.fleet.client.overview import read_overview

    with store.reading() as connection:
        found = read_overview(connection, SHOWN)
    if path is not None:
        write_page(path, found.to_mapping())
        return 0
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
        print(*map(kind_line, found.kinds), sep="\n")
    return 0


def write_page(path: Path, overview: Mapping[str, Any]) -> None:
    """Write the page of an overview, whole or not at all.

    Raises:
        StorageError: The file cannot be written.
    """
    from opperf.reporting.fleet import fleet_document

    try:
        write_whole(path, fleet_document(overview, datetime.now(timezone.utc)))
    except OSError as error:
        raise StorageError(f"cannot write {path}: {error.strerror}") from None
    say(f"wrote {path}")


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
        "lost": found.lost,
        "retried": found.retried,
        "jobs/h": f"{found.per_hour:.0f}" if found.per_hour else "",
        "left": f"{found.remaining / MINUTE:.0f} min" if found.remaining else "",
    }


def kind_line(kind: Mapping[str, Any]) -> str:
    """Return a line about a kind."""
    return (
        f"kind {kind['kind']}: {clean(kind['cpu'])}, {kind['hosts']} hosts, {kind['ready']} ready, "
        f"{kind['measuring']} measuring, {kind['done']} jobs done in the last hour"
    )
