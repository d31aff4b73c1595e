"""The ranking of a network's calls as rows, and what is said beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.results.line import outcome_text
from opperf.core.tensors.tensor import CONTIGUOUS
from opperf.core.units import format_precision, format_seconds
from opperf.reporting.difference import network_lines
from opperf.reporting.text import clean, shorten
from opperf.reporting.wording import codes, flag, time_parts, value_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from opperf.calls.format.model import CallsRecord
    from opperf.calls.ranking.ranking import RankedCall, Ranking
    from opperf.core.results.parts import InputRecord
    from opperf.core.results.result import Result

    Row = dict[str, object]

GROUPS: Mapping[str, Callable[[RankedCall], Mapping[str, int]]] = {
    "operator": lambda one: {one.call.operator: one.call.count},
    "category": lambda one: {one.result.operator.category if one.result else "": one.call.count},
    "module": lambda one: one.modules,
}
"""How calls are grouped: the keys of a distinct call, and how many of its calls each has."""
TIMES = ("time", "total")
KEEP = (*GROUPS, "total", "time", "share", "count", "phase", "sum", "±", "roof")
"""The columns that matter, the most first."""
ARGUMENTS = 60
"""Characters of a call's arguments in a table."""


def ranking_rows(ranking: Ranking, top: int | None, *, for_people: bool) -> list[Row]:
    """Return a row a call, the dearest first, then those without a time; no more than `top`."""
    chosen = ranking.calls[:top]
    return [(shown_row if for_people else full_row)(one) for one in chosen]


def shown_row(one: RankedCall) -> Row:
    """Return a call as a person reads it."""
    result = one.result
    row: Row = {"operator": one.call.operator, "arguments": "", "count": one.call.count}
    if result is None:
        return row
    time, spread = time_parts(result)
    row |= {
        "arguments": shorten(arguments_text(result), ARGUMENTS),
        "time": f"{flag(result)}{time}".strip() if one.seconds is not None else result.status,
        "±": spread.strip() or None,
        "total": None if one.total is None else format_seconds(one.total),
        "share": percent(one.share),
        "sum": percent(one.cumulative),
        "phase": phase_text(one),
        "roof": percent(result.peak_fraction),
        "bound": bound_text(one),
    }
    return row


def full_row(one: RankedCall) -> Row:
    """Return a call with its numbers as they are: seconds, and shares from 0 to 1."""
    result = one.result
    low, high = (result.interval if result else None) or (None, None)
    return {
        "operator": one.call.operator,
        "arguments": arguments_text(result) if result else None,
        "count": one.call.count,
        "seconds": one.seconds, "low": low, "high": high, "total": one.total,
        "share": one.share, "cumulative": one.cumulative,
        "cold_seconds": one.cold.seconds if one.cold else None,
        "forward": one.phases.get("forward"), "backward": one.phases.get("backward"),
        "peak_fraction": result.peak_fraction if result else None,
        "bound": bound_text(one),
        "status": result.status if result else None,
        "reason": result.reason if result else None,
        "reference": result.correctness.reference if result and result.correctness else None,
        "result_id": result.result_id if result else None,
    }  # fmt: skip


def group_rows(ranking: Ranking, by: str, top: int | None, *, for_people: bool) -> list[Row]:
    """Return a row a group of calls, the dearest first."""
    shares = ranking.by(GROUPS[by])[:top]
    if not for_people:
        return [
            {by: one.key, "count": one.count, "distinct": one.distinct, "total": one.total,
             "share": one.share, "cumulative": one.cumulative}
            for one in shares
        ]  # fmt: skip
    return [
        {by: one.key, "count": one.count, "distinct": one.distinct,
         "total": format_seconds(one.total), "share": percent(one.share),
         "sum": percent(one.cumulative)}
        for one in shares
    ]  # fmt: skip


def ranking_lines(record: CallsRecord, ranking: Ranking) -> Iterator[str]:
    """Yield the sum of the calls, what it lacks, and how it compares with the whole network."""
    made = sum(call.count for call in record.calls)
    timed = sum(one.call.count for one in ranking.timed)
    half = ranking.half_width
    known = half is not None and ranking.total
    spread = f" {format_precision((half or 0.0) / ranking.total)}" if known else ""
    framework, device, threads, cache = ranking.place
    where = f"{framework}, {device}, {threads} thread{'s' if threads != 1 else ''}, {cache}"
    yield (
        f"{record.network}: {timed} of {made} calls ({len(ranking.timed)} of "
        f"{len(record.calls)} distinct) take {format_seconds(ranking.total)}{spread} in sum "
        f"({where})"
    )
    forward, backward = ranking.seconds_in("forward"), ranking.seconds_in("backward")
    if forward or backward:
        yield f"forward {format_seconds(forward)}, backward {format_seconds(backward)}"
    launched = [one for one in ranking.timed if one.launch_bound]
    if ranking.launch is not None:
        total = sum(one.total or 0.0 for one in launched)
        count = sum(one.call.count for one in launched)
        share = percent(total / ranking.total) if ranking.total else percent(0.0)
        yield (
            f"bound by launching: {count} calls, {share} of the sum; a copy of one element takes "
            f"{format_seconds(ranking.launch)}"
        )
    for (operator, why), ones in by_reason(ranking.missing).items():
        count = sum(one.call.count for one in ones)
        yield f"no time of {count} {operator}, {why}"
    yield from network_lines(record, ranking)


def by_reason(missing: Sequence[RankedCall]) -> dict[tuple[str, str], list[RankedCall]]:
    """Return calls without a time by their operator and by how they ended."""
    found: dict[tuple[str, str], list[RankedCall]] = {}
    for one in missing:
        why = outcome_text(one.result) if one.result else "not measured"
        found.setdefault((one.call.operator, why), []).append(one)
    return found


def arguments_text(result: Result) -> str:
    """Return "(256,512) (512,1024)[1,512] 0.5": tensors with strides, then other arguments."""
    return given_to(result.inputs, result.attributes)


def given_to(inputs: Sequence[InputRecord], attributes: Mapping[str, object]) -> str:
    """Return what a call is given: tensors, other arguments, the tensors' element types."""
    tensors = [tensor_text(item) for item in inputs]
    others = [
        clean(value_text(value)) if name.isdigit() else f"{clean(name)}={clean(value_text(value))}"
        for name, value in attributes.items()
    ]
    dtypes = dict.fromkeys(clean(item.dtype) for item in inputs)
    return " ".join([*tensors, *others, *dtypes])


def tensor_text(item: InputRecord) -> str:
    """Return "(512,1024)[1,512]", without strides where the tensor is contiguous."""
    layout = item.layout or CONTIGUOUS
    if layout == CONTIGUOUS:
        return value_text(item.shape)
    return value_text(item.shape) + clean(layout).replace("strides (", "[").replace(
        ", ", ","
    ).replace(")", "]")


def phase_text(one: RankedCall) -> str | None:
    """Return "forward", "backward", or how many calls are made in each."""
    phases = {name: count for name, count in one.phases.items() if not name.startswith("(")}
    if not phases:
        return None
    if len(phases) == 1:
        return next(iter(phases))
    return ", ".join(f"{count} {name}" for name, count in phases.items())


def bound_text(one: RankedCall) -> str | None:
    """Return what a call's time is bound by, as far as that is known."""
    if one.result is None or one.seconds is None:
        return None
    if "view" in codes(one.result):
        return "view"
    if one.launch_bound:
        return "launch"
    return one.result.roof.bound if one.result.roof else None


def percent(share: float | None) -> str | None:
    """Return "12.3%", None where there is none."""
    return None if share is None else f"{100 * share:.1f}%"
