"""What changes are due to, the code or a host, in plain words and as rows."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from opperf.core.moments import day
from opperf.history.cause import CODE, HOST
from opperf.history.steps import NEAR
from opperf.reporting.history import subject_text
from opperf.reporting.text import clean

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from opperf.history.cause import Cause
    from opperf.history.model import FoundChange
    from opperf.history.pooling import PooledRatio

LEAST_TAU = 0.0005
"""What is shown as 0.1 %; hosts that differ by less are told to agree."""
NOBODY: dict[str, object] = dict.fromkeys(
    ("cause", "cause_reason", "hosts", "hosts_moved", "pooled_ratio", "pooled_low", "pooled_high",
     "tau")
)  # fmt: skip


def cause_row(cause: Cause | None) -> dict[str, object]:
    """Return a cause as columns; all None where there is nothing to tell."""
    if cause is None:
        return NOBODY
    pooled = cause.pooled
    low, high = pooled.interval if pooled else (None, None)
    return {
        "cause": cause.verdict,
        "cause_reason": cause.reason,
        "hosts": cause.hosts,
        "hosts_moved": cause.moved,
        "pooled_ratio": pooled.ratio if pooled else None,
        "pooled_low": low,
        "pooled_high": high,
        "tau": pooled.tau if pooled else None,
    }


def cause_lines(changes: Sequence[FoundChange], causes: Mapping[str, Cause]) -> list[str]:
    """Return what the changes are due to, each once: a host's by itself, others by operator."""
    known = [one for one in changes if one.name in causes]
    return [*code_lines(known, causes), *host_lines(known, causes)]


def code_lines(changes: Sequence[FoundChange], causes: Mapping[str, Cause]) -> Iterator[str]:
    """Yield a line for each change that is not a host's own, whichever hosts show it."""
    told: list[tuple[tuple[object, ...], int]] = []
    for one in sorted(changes, key=lambda one: causes[one.name].verdict != CODE):
        cause, subject = causes[one.name], one.history.subject
        if is_host_wide(cause):
            continue
        kind = subject.host.kind if subject.host else ""
        key = (subject.series_key, subject_text(subject), kind, cause.verdict)
        if any(key == other and abs(at - one.change.at) <= NEAR for other, at in told):
            continue
        told.append((key, one.change.at))
        where = clean(kind) if cause.hosts > 1 else ""
        parts = [f"{cause.verdict}: {day(one.change.at)} {subject_text(subject)}"]
        parts += [pooled_text(cause.pooled, where)] if cause.pooled and cause.hosts > 1 else []
        yield "; ".join([*parts, clean(cause.reason)])


def host_lines(changes: Sequence[FoundChange], causes: Mapping[str, Cause]) -> Iterator[str]:
    """Yield a line for each host whose calibration set moved, and for all where all moved."""
    groups: dict[tuple[str, str], list[FoundChange]] = defaultdict(list)
    for one in changes:
        cause, subject = causes[one.name], one.history.subject
        if is_host_wide(cause):
            kind = subject.host.kind_key if subject.host else ""
            place = kind if cause.is_everywhere else subject.machine_key
            groups[cause.verdict, place].append(one)
    for (verdict, _), group in groups.items():
        first = min(group, key=lambda one: one.change.at)
        cause, host = causes[first.name], first.history.subject.host
        when, count = day(first.change.at), len(group)
        name = clean(host.label if host else first.history.subject.machine_key)
        if verdict == HOST:
            yield (
                f"host: {when} {name} changed, not the code: {clean(cause.reason)}; "
                f"{count} of the changes are its own"
            )
        else:
            where = clean(host.kind) if host and cause.is_everywhere else name
            yield f"{verdict}: {when} {where}: {clean(cause.reason)}; {count} changes"


def is_host_wide(cause: Cause) -> bool:
    """Return whether a change is told with the others of its host, and not by its operator."""
    return cause.verdict != CODE and cause.shift is not None and cause.shift.is_shifted


def pooled_text(pooled: PooledRatio, kind: str) -> str:
    """Return the ratio over hosts with its interval, and how much hosts differ."""
    low, high = pooled.interval
    hosts = f"{pooled.hosts} hosts" if pooled.hosts > 1 else "one host"
    text = f"{pooled.ratio:.3f} [{low:.3f}, {high:.3f}] over {hosts} of {kind}"
    if pooled.tau is None:
        return f"{text}, which says nothing of others"
    if pooled.tau < LEAST_TAU:
        return f"{text}, which differ by no more than their own noise"
    return f"{text}, whose own ratios differ by {pooled.tau:.1%} (standard deviation)"
