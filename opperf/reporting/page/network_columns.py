"""A network's calls as columns of the page: texts once, numbers to five digits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from opperf.calls.format.values import call_from
from opperf.calls.measuring.description import attributes_of, describe_tensors
from opperf.core.results.parts import InputRecord
from opperf.reporting.page.columns import compact, encode
from opperf.reporting.ranking import arguments_text, bound_text, given_to, phase_text
from opperf.reporting.text import clean, shorten
from opperf.reporting.wording import codes, precision

if TYPE_CHECKING:
    from opperf.calls.format.model import CallRecord
    from opperf.calls.ranking.ranking import RankedCall
    from opperf.reporting.network import RankedNetwork

TEXTS = (
    "operator", "category", "arguments", "module", "phase", "bound", "status", "reason", "warnings",
)  # fmt: skip
NUMBERS = (
    "count", "forward", "backward", "seconds", "low", "high", "precision", "total", "share",
    "cumulative", "flop_rate", "byte_rate", "peak_fraction", "reliable",
)  # fmt: skip
LONGEST = {"arguments": 200, "module": 120, "reason": 300}
NOT_MEASURED = "not measured"
"""The status of a call of which the run has no result."""


def call_columns(network: RankedNetwork, most: int) -> dict[str, Any]:
    """Return the calls, the dearest first, those without a time last; no more than `most`."""
    left = [*map(unmeasured_row, network.unmeasured)]
    rows = [*map(row_of, network.ranking.calls), *left][:most]
    return {
        "texts": {name: encode(text_of(name, row.get(name)) for row in rows) for name in TEXTS},
        "numbers": {name: [compact(row.get(name)) for row in rows] for name in NUMBERS},
    }


def text_of(name: str, value: object) -> str | None:
    """Return a text no longer than the page has room for."""
    return None if value is None else shorten(clean(value), LONGEST.get(name, 200))


def row_of(one: RankedCall) -> dict[str, object]:
    """Return a call that was measured, whether it has a time or not."""
    result = one.result
    if result is None:
        return unmeasured_row(one.call)
    low, high = result.interval or (None, None)
    return {
        "operator": one.call.operator,
        "category": result.operator.category,
        "arguments": arguments_text(result),
        "module": module_text(one.call),
        "phase": phase_text(one),
        "bound": bound_text(one),
        "status": result.status,
        "reason": result.reason,
        "warnings": ", ".join(codes(result)) or None,
        "count": one.call.count,
        "forward": one.phases.get("forward"),
        "backward": one.phases.get("backward"),
        "seconds": one.seconds,
        "low": low,
        "high": high,
        "precision": precision(result),
        "total": one.total,
        "share": one.share,
        "cumulative": one.cumulative,
        "flop_rate": result.flop_rate,
        "byte_rate": result.byte_rate,
        "peak_fraction": result.peak_fraction,
        "reliable": int(result.reliable),
    }


def unmeasured_row(record: CallRecord) -> dict[str, object]:
    """Return a call of which the run has no result, in the element types of the file."""
    call = call_from(to_builtins(record))
    inputs = [InputRecord(**item) for item in describe_tensors(call)]
    return {
        "operator": record.operator,
        "arguments": given_to(inputs, attributes_of(call)),
        "module": module_text(record),
        "status": NOT_MEASURED,
        "count": record.count,
    }


def module_text(call: CallRecord) -> str | None:
    """Return the module that makes most of the calls, and how many others do."""
    counts: dict[str, int] = {}
    for place in call.places:
        counts[place.module] = counts.get(place.module, 0) + place.count
    if not counts:
        return None
    most = max(counts, key=lambda name: counts[name]) or "(the network itself)"
    return f"{most} and {len(counts) - 1} more" if len(counts) > 1 else most
