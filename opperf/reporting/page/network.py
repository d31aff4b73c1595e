"""The page's view of a network: what its calls cost it, beside its own time."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from opperf.calls.format.faults import calls_text
from opperf.core.units import format_precision, format_seconds
from opperf.reporting.network import unreliable, unreliable_share
from opperf.reporting.page.columns import compact
from opperf.reporting.page.network_columns import call_columns
from opperf.reporting.page.tiles import tile
from opperf.reporting.ranking import GROUPS, ranking_lines
from opperf.reporting.text import clean, shorten

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opperf.reporting.network import RankedNetwork

MOST_ROWS = 10_000
"""Calls, and groups of calls, that a view lists; the dearest of them."""
MOST_LINES = 40
"""Lines beside the view; each operator without a time has one."""
LONGEST_TEXT = 400
CLOSE = 0.15
"""How far from the network's own time the sum of its calls may lie until the tile says so."""


def network_views(networks: Sequence[RankedNetwork]) -> dict[str, Any]:
    """Return the views of networks as a field of a page's data, no field where there are none."""
    return {"networks": [network_view(network) for network in networks]} if networks else {}


def network_view(network: RankedNetwork) -> dict[str, Any]:
    """Return the data of one network's view."""
    ranking = network.ranking
    whole = network.whole
    return {
        "title": title_of(network),
        "run": clean(network.run),
        "tiles": [*tiles(network)],
        "lines": lines_of(network),
        "whole": compact(whole),
        "sum": compact(ranking.total),
        "calls": call_columns(network, MOST_ROWS),
        "groups": {name: groups_of(network, name) for name in GROUPS},
        "roofs": roofs_of(network),
    }


def title_of(network: RankedNetwork) -> str:
    """Return "resnet18, training, batch 8, on pytorch cpu, 2 threads"."""
    record = network.record
    framework, device, threads, cache = network.ranking.place
    batch = f"batch {record.batch}" if record.batch else None
    count = f"{threads} thread{'' if threads == 1 else 's'}" if threads else None
    cold = f"{cache} cache" if cache and cache != "hot" else None
    parts = [clean(record.network), record.mode, batch, clean(f"{framework} {device}"), count, cold]
    return shorten(", ".join(filter(None, parts)), LONGEST_TEXT)


def tiles(network: RankedNetwork) -> Iterator[dict[str, str]]:
    """Yield the numbers at the top: the sum, the network's own time, and what is missing."""
    record, ranking = network.record, network.ranking
    spread = spread_text(ranking.half_width, ranking.total)
    yield tile(f"sum of the calls{spread}", format_seconds(ranking.total), "")
    if network.whole is None:
        yield tile("the whole network: not timed", "\u2013", "")
    else:
        spread = spread_text(network.whole_half_width, network.whole)
        yield tile(f"the whole network, timed as one{spread}", format_seconds(network.whole), "")
        share = ranking.total / network.whole
        level = "warn" if abs(share - 1) > CLOSE else ""
        yield tile("sum of the calls / whole network", f"{share:.0%}", level)
    made = sum(call.count for call in record.calls)
    timed = sum(one.call.count for one in ranking.timed)
    label = "calls of a step that have a time"
    yield tile(label, f"{timed} of {made}", "" if timed == made else "warn")
    doubtful = unreliable_share(ranking)
    label = "of the sum rest on times not to be relied on"
    yield tile(label, f"{doubtful:.0%}", "warn" if doubtful else "")


def spread_text(half: float | None, whole: float) -> str:
    """Return ", ±1.2%", or ", ±?" where there is no interval."""
    return f", {format_precision(half / whole)}" if half is not None and whole else ", \u00b1?"


def lines_of(network: RankedNetwork) -> list[str]:
    """Return what the terminal says below the ranking, and what of it is not on the page."""
    said = [*map(clean, ranking_lines(network.record, network.ranking))]
    shown = [shorten(line, LONGEST_TEXT * 2) for line in islice(said, MOST_LINES)]
    if len(said) > MOST_LINES:
        shown.append(f"and {len(said) - MOST_LINES} more lines, which opperf show has")
    if left := network.unmeasured:
        count = sum(call.count for call in left)
        shown.append(
            f"not measured, or left out by -k: {count} calls ({len(left)} distinct), which are in "
            "the table without a time, and in no sum"
        )
    if network.wrong_calls:
        shown.append(f"left out of the file: {calls_text(network.wrong_calls)}")
    if network.ranking.timed and network.whole is None:
        shown.append("the whole network was not timed: opperf profile does, where it is captured")
    folded = len(network.record.calls) - MOST_ROWS
    if folded > 0:
        rest = network.ranking.timed[MOST_ROWS:]
        share = sum(one.share or 0.0 for one in rest)
        shown.append(
            f"the last {folded} distinct calls of the ranking, {share:.1%} of the sum, are not on "
            "this page: opperf show --format csv has them"
        )
    return shown


def groups_of(network: RankedNetwork, name: str) -> list[list[Any]]:
    """Return key, calls, distinct calls, seconds, share, cumulative and doubtful share of groups.

    The doubtful share is that of the group's own time, not of the sum.
    """
    ranking = network.ranking
    unsure = replace(ranking, calls=unreliable(ranking))
    doubtful = {one.key: one.total for one in unsure.by(GROUPS[name])}
    return [
        [
            shorten(clean(one.key), LONGEST_TEXT), one.count, one.distinct, compact(one.total),
            compact(one.share), compact(one.cumulative),
            compact(doubtful.get(one.key, 0.0) / one.total if one.total else 0.0),
        ]
        for one in ranking.by(GROUPS[name])[:MOST_ROWS]
    ]  # fmt: skip


def roofs_of(network: RankedNetwork) -> dict[str, list[float]]:
    """Return the measured peaks that the calls were held against: FLOP/s, and B/s from the fastest.

    The bandwidth depends on the working set: there is the fastest and the slowest that was met.
    """
    roofs = [one.result.roof for one in network.ranking.timed if one.result and one.result.roof]
    found: dict[str, list[float]] = {}
    for bound in ("flop", "bytes"):
        rates = [compact(roof.rate) for roof in roofs if roof.bound == bound and roof.rate]
        known = [rate for rate in rates if rate]
        found[bound] = [max(known), min(known)] if known else []
    return found
