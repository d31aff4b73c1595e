"""A fleet as a page: its hosts by kind, what they do, how far submissions are, what was lost."""

from __future__ import annotations

from datetime import timezone
from typing import TYPE_CHECKING, Any

from opperf.core.units import format_bytes
from opperf.core.version import VERSION
from opperf.reporting.estimate import clock_text
from opperf.reporting.page.tiles import tile
from opperf.reporting.site.document import whole_document
from opperf.reporting.site.markup import (
    ListCell,
    ListColumn,
    count_cell,
    list_section,
    summary_section,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

GENERATOR = "opperf fleet status --html"
TITLE = "The fleet"
HOST_COLUMNS = (
    ListColumn("Host", "word"), ListColumn("State"), ListColumn("Why", "sentence"),
    ListColumn("Measures"), ListColumn("Done, last hour", "number"), ListColumn("Kind", "word"),
    ListColumn("Calibrated (UTC)", "word"), ListColumn("Frameworks"),
    ListColumn("Memory", "number"), ListColumn("Processor", "sentence"),
)  # fmt: skip
KIND_COLUMNS = (
    ListColumn("Kind", "word"), ListColumn("Processor", "sentence"),
    ListColumn("Hosts", "number"), ListColumn("Ready", "number"),
    ListColumn("Measuring", "number"), ListColumn("Done, last hour", "number"),
)  # fmt: skip
STATES = ("planned", "leased", "done", "failed", "cancelled")
SUBMISSION_COLUMNS = (
    ListColumn("Submission", "word"), ListColumn("Ended", "number"),
    *(ListColumn(state.capitalize(), "number") for state in STATES),
    ListColumn("Lost", "number"), ListColumn("Retried", "number"),
    ListColumn("Jobs an hour", "number"), ListColumn("Left", "number"),
)  # fmt: skip
TROUBLE_COLUMNS = (
    ListColumn("Job", "number"), ListColumn("Title"), ListColumn("State"),
    ListColumn("Attempts", "number"), ListColumn("Submission", "word"),
    ListColumn("Why", "sentence"),
)  # fmt: skip
LEVELS = {
    "ready": "good", "away": "warn", "quarantined": "warn", "refused": "bad", "failed": "bad",
}  # fmt: skip


def fleet_document(overview: Mapping[str, Any], now: datetime) -> bytes:
    """Return the page of an overview as `opperf fleet status --format json` prints it."""
    hosts, submissions = overview["hosts"], overview["submissions"]
    tables = {
        "Hosts": (HOST_COLUMNS, map(host_cells, hosts)),
        "Kinds": (KIND_COLUMNS, map(kind_cells, overview["kinds"])),
        "Submissions": (
            SUBMISSION_COLUMNS,
            [submission_cells(*one) for one in submissions.items()],
        ),
        "Trouble": (TROUBLE_COLUMNS, map(trouble_cells, overview["troubles"])),
    }
    sections = {name: list_section(name.lower(), name, *parts) for name, parts in tables.items()}
    top = {"Summary": summary(overview, now)}
    return whole_document(f"opperf: {TITLE}", GENERATOR, "ready epyc", {**top, **sections})


def summary(overview: Mapping[str, Any], now: datetime) -> str:
    """Return the top of the page."""
    hosts, submissions = overview["hosts"], overview["submissions"].values()
    ready = sum(host["state"] == "ready" for host in hosts)
    measuring = sum(host["measures"] is not None for host in hosts)
    counts = {state: sum(one["counts"].get(state, 0) for one in submissions) for state in STATES}
    lost, retried = (sum(one[what] for one in submissions) for what in ("lost", "retried"))
    left = [one["remaining"] for one in submissions if one["remaining"]]
    running = f"{counts['planned'] + counts['leased']} jobs have not ended"
    text = f"{ready} of {len(hosts)} hosts are ready; {running if submissions else 'no jobs yet'}"
    level = "bad" if counts["failed"] else "warn" if ready < len(hosts) else "good"
    tiles = [
        tile("hosts that measure", f"{measuring}", ""),
        tile("jobs done, last hour", f"{sum(host['done_last_hour'] for host in hosts)}", ""),
        tile("jobs lost with a host", f"{lost}", "warn" if lost else ""),
        tile("jobs retried", f"{retried}", "warn" if retried else ""),
        tile("jobs failed", f"{counts['failed']}", "bad" if counts["failed"] else ""),
        *([tile("left", clock_text(max(left)), "")] if left else []),
    ]
    note = f"As of {now.astimezone(timezone.utc):%Y-%m-%d %H:%M} UTC. Written by opperf {VERSION}."
    return summary_section(TITLE, {"level": level, "text": text}, tiles, note)


def host_cells(host: Mapping[str, Any]) -> list[ListCell]:
    """Return the row of a host."""
    calibrated = host["calibrated_at"]
    return [
        ListCell(host["host"]),
        state_cell(host["state"]),
        ListCell(host["reason"]),
        ListCell(host["measures"] or ""),
        count_cell(host["done_last_hour"]),
        ListCell(host["kind"][:8]),
        ListCell(calibrated[:16].replace("T", " ") if calibrated else "never"),
        ListCell(" ".join(host["frameworks"])),
        ListCell(format_bytes(host["memory_bytes"]), value=host["memory_bytes"]),
        ListCell(host["cpu"]),
    ]


def kind_cells(kind: Mapping[str, Any]) -> list[ListCell]:
    """Return the row of a kind."""
    counts = map(count_cell, (kind[what] for what in ("hosts", "ready", "measuring", "done")))
    return [ListCell(kind["kind"][:8]), ListCell(kind["cpu"]), *counts]


def submission_cells(name: str, found: Mapping[str, Any]) -> list[ListCell]:
    """Return the row of a submission."""
    counts, pace, left = found["counts"], found["per_hour"], found["remaining"]
    jobs, ended = sum(counts.values()), sum(counts.get(state, 0) for state in STATES[2:])
    return [
        ListCell(name),
        ListCell(f"{ended / jobs:.0%} of {jobs}", value=ended / jobs),
        *(count_cell(counts.get(state, 0), "bad" if state == "failed" else "") for state in STATES),
        count_cell(found["lost"], "warn"),
        count_cell(found["retried"], "warn"),
        ListCell(f"{pace:.0f}", value=pace) if pace else ListCell(""),
        ListCell(clock_text(left), value=left) if left else ListCell(""),
    ]


def trouble_cells(job: Mapping[str, Any]) -> list[ListCell]:
    """Return the row of a job that was given back or has failed."""
    return [
        ListCell(str(job["id"]), value=job["id"]),
        ListCell(job["title"]),
        state_cell(job["state"]),
        count_cell(job["attempt"]),
        ListCell(job["submission"]),
        ListCell(job["reason"]),
    ]


def state_cell(state: str) -> ListCell:
    """Return how a host or a job is."""
    return ListCell(state, level=LEVELS.get(state, ""))
