"""Changes and standings of series, as rows and as lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.moments import day, stamp
from opperf.core.units import format_seconds
from opperf.reporting.causes import cause_row
from opperf.reporting.history import change_text, differences_text, subject_row, subject_text
from opperf.reporting.text import clean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.history.cause import Cause
    from opperf.history.model import Failure, FoundChange, Move, Standing


def change_row(news: FoundChange, now: int, cause: Cause | None = None) -> dict[str, object]:
    """Return a change as one flat object; `regressed` is 1 if it is worse and unacknowledged."""
    change, metric = news.change, news.history.metric
    known = change.acknowledgment
    acknowledged = known is not None and known.until >= now
    return {
        "change": news.name,
        "kind": metric.word(change.ratio),
        "at": stamp(change.at),
        **subject_row(news.history.subject),
        "before": change.before,
        "after": change.after,
        "ratio": change.ratio,
        "low": change.interval[0],
        "high": change.interval[1],
        "threshold": change.threshold,
        "p_value": change.p_value,
        "sessions_before": change.sessions_before,
        "sessions_after": change.sessions_after,
        "environment": differences_text(change) or None,
        "regressed": int(metric.is_worse(change.ratio) and not acknowledged),
        "acknowledged_until": stamp(known.until) if known else None,
        "note": known.note if known else None,
        **cause_row(cause),
    }


def standing_rows(standings: Sequence[Standing]) -> list[dict[str, object]]:
    """Return one flat object a series."""
    return [
        {
            **subject_row(one.subject),
            "baseline": one.baseline,
            "newest": one.newest,
            "at": stamp(one.at),
            "ratio": one.ratio,
            "threshold": one.threshold,
            "verdict": one.verdict,
            "environment": differences_text(one) or None,
        }
        for one in standings
    ]


def failure_row(failure: Failure) -> dict[str, object]:
    """Return a new failure as one flat object with keys of a change."""
    return {
        "kind": failure.status,
        "at": stamp(failure.at),
        **subject_row(failure.subject),
        "before": failure.last.value,
        "regressed": 1,
    }


def move_row(move: Move) -> dict[str, object]:
    """Return a change of the machine as one flat object with keys of a change."""
    return {
        "kind": "machine",
        "at": stamp(move.at),
        "machine": move.after,
        "environment": f"machine_key {clean(move.before)} -> {clean(move.after)}",
        "regressed": 0,
        "note": f"{move.series} series begin anew",
    }


def change_line(row: dict[str, object], news: FoundChange) -> str:
    """Return a change as a line, with the name to acknowledge it by."""
    mark = "!" if row["regressed"] else " "
    subject = subject_text(news.history.subject)
    text = change_text(news.change, news.history.metric)
    host = news.history.subject.host
    if host is not None and host.name is not None:
        subject += f"  on {clean(host.name)}"
    return f"{mark} {clean(news.name)} {day(news.change.at)} {subject}  {text}"


def failure_line(failure: Failure) -> str:
    """Return a new failure as a line."""
    last = format_seconds(failure.last.value)
    text = f"newly {clean(failure.status)}; {last} on {day(failure.last.at)}"
    return f"! {day(failure.at)} {subject_text(failure.subject)}  {text}"


def move_line(move: Move) -> str:
    """Return a change of the machine as a line."""
    machines = f"{clean(move.before)} -> {clean(move.after)}"
    return f"  {day(move.at)} machine changed: {machines}; {move.series} series begin anew"
