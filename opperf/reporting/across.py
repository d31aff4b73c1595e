"""A network's calls on two frameworks as rows, and what is said beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.results.line import outcome_text
from opperf.core.units import format_seconds
from opperf.reporting.ranking import ARGUMENTS, arguments_text, percent
from opperf.reporting.ratios import NO_RATIO, decimal_text
from opperf.reporting.text import shorten
from opperf.reporting.wording import flag, time_parts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opperf.calls.format.model import CallsRecord
    from opperf.calls.ranking.across import Across, AcrossCall
    from opperf.core.results.result import Result

    Row = dict[str, object]

LONGEST = 100
"""Characters of a reason in a line."""


def across_rows(across: Across, top: int | None, *, for_people: bool) -> list[Row]:
    """Return a row a call, the dearest first; to people, of those that are declared there."""
    if for_people:
        return [shown_row(across, one) for one in across.calls if one.declared][:top]
    return [full_row(across, one) for one in across.calls[:top]]


def shown_row(across: Across, one: AcrossCall) -> Row:
    """Return a call as a person reads it."""
    result = one.own or one.other
    return {
        "operator": one.call.operator,
        "declared": declared_text(one),
        "arguments": shorten(arguments_text(result), ARGUMENTS) if result else "",
        "count": one.call.count,
        **time_cells(across.own, one.own),
        **time_cells(across.other, one.other),
        "ratio": ratio_cell(one),
    }


def time_cells(framework: str, result: Result | None) -> Row:
    """Return the time on a framework and its precision, or how it ended."""
    if result is None:
        return {framework: None, f"± {framework}": None}
    if result.seconds is None:
        return {framework: result.status, f"± {framework}": None}
    time, spread = time_parts(result)
    return {framework: f"{flag(result)}{time}".strip(), f"± {framework}": spread.strip() or None}


def ratio_cell(one: AcrossCall) -> str | None:
    """Return the other framework's time by the own one's, "?" where either is not to be relied on.

    The definitions differ: one is an operator's own name, the other the declaration that it is.
    """
    if one.ratio is None or one.own is None or one.other is None:
        return None
    return decimal_text(one.ratio) if one.own.reliable and one.other.reliable else NO_RATIO


def declared_text(one: AcrossCall) -> str | None:
    """Return "Conv2D backward"."""
    if one.declared is None:
        return None
    phase = "" if one.declared.direction == "forward" else f" {one.declared.direction}"
    return f"{one.declared.declaration}{phase}"


def full_row(across: Across, one: AcrossCall) -> Row:
    """Return a call with its numbers as they are."""
    low_own, high_own = (one.own.interval if one.own else None) or (None, None)
    low, high = (one.other.interval if one.other else None) or (None, None)
    return {
        "operator": one.call.operator,
        "declared": declared_text(one),
        "count": one.call.count,
        "own": across.own, "own_seconds": one.own_seconds, "own_low": low_own,
        "own_high": high_own,
        "other": across.other, "other_seconds": one.other_seconds, "other_low": low,
        "other_high": high,
        "ratio": one.ratio,
        "dense": ", ".join(one.declared.dense) if one.declared else None,
        "why": one.why or None,
        "status": one.other.status if one.other else None,
        "reason": one.other.reason if one.other else None,
        "own_result_id": one.own.result_id if one.own else None,
        "other_result_id": one.other.result_id if one.other else None,
    }  # fmt: skip


def across_lines(record: CallsRecord, across: Across) -> Iterator[str]:
    """Yield what both frameworks take in sum, and what is not measured on the other one."""
    made = sum(one.count for one in record.calls)
    there = [one for one in across.calls if one.other_seconds is not None]
    seconds = sum(one.call.count * (one.other_seconds or 0.0) for one in there)
    _, device, threads, cache = across.place
    where = f"{device}, {threads} thread{'s' if threads != 1 else ''}, {cache}"
    yield (
        f"{record.network} on {across.other}: {count_of(there)} of {made} calls ({len(there)} of "
        f"{len(record.calls)} distinct) take {format_seconds(seconds)} in sum ({where})"
    )
    if both := across.both:
        own = sum(one.call.count * (one.own_seconds or 0.0) for one in both)
        other = sum(one.call.count * (one.other_seconds or 0.0) for one in both)
        yield (
            f"on both, {count_of(both)} calls: {across.own} {format_seconds(own)}, {across.other} "
            f"{format_seconds(other)}, ratio {decimal_text(other / own)}"
        )
    none = [one for one in across.calls if not one.declared and not one.why]
    if none:
        yield f"no calls there: {count_of(none)} views and what makes room for tensors"
    yield from undeclared_lines(across, made)
    for one in across.calls:
        if one.declared and one.other_seconds is None:
            why = outcome_text(one.other) if one.other else "not measured"
            name = declared_text(one)
            yield shorten(f"no time there of {one.call.count} {name}, {why}", 2 * LONGEST)


def undeclared_lines(across: Across, made: int) -> Iterator[str]:
    """Yield which share of calls, and of the time, is not declared there, and why."""
    if not (undeclared := across.undeclared):
        return
    count = count_of(undeclared)
    share = f"{percent(count / made)} of them"
    if across.own_total:
        seconds = sum(one.call.count * (one.own_seconds or 0.0) for one in undeclared)
        share += f", {percent(seconds / across.own_total)} of {across.own}'s time"
    yield f"not declared there: {count} of {made} calls ({share})"
    reasons: dict[str, int] = {}
    for one in undeclared:
        why = f"{one.call.operator}: {shorten(one.why, LONGEST)}"
        reasons[why] = reasons.get(why, 0) + one.call.count
    for why, number in sorted(reasons.items(), key=lambda item: (-item[1], item[0])):
        yield f"{number:6} {why}"


def count_of(calls: Sequence[AcrossCall]) -> int:
    """Return how many calls of a step they are."""
    return sum(one.call.count for one in calls)
