"""On how many processors the frameworks of a ratio computed, where not on as many."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.reporting.text import clean

if TYPE_CHECKING:
    from collections.abc import Iterable

    from opperf.core.results.result import Result


def processors(result: Result) -> int | None:
    """Return how many the measuring process could run on, None where nobody knows or on a GPU."""
    allowed = result.environment.get("affinity")
    if result.operator.device != "cpu" or not isinstance(allowed, (list, tuple)):
        return None
    return len(allowed) or None


def processors_note(pairs: Iterable[tuple[Result, Result]]) -> str | None:
    """Return a line that says where two times beside each other took unequally many, else None.

    An engine such as MXNet's computes in a thread of its own, beside the one that calls it.
    """
    found: dict[str, set[int]] = {}
    for pair in pairs:
        counts = [processors(result) for result in pair]
        if None not in counts and len(set(counts)) > 1:
            for result, count in zip(pair, counts, strict=True):
                found.setdefault(clean(result.operator.framework), set()).add(count or 0)
    if not found:
        return None
    told = ", ".join(f"{name} {counts_text(counts)}" for name, counts in found.items())
    least = min(min(counts) for counts in found.values())
    return (
        f"processors: {told}, for an engine computes beside its caller; "
        f"--cores {least} keeps each to as many"
    )


def counts_text(counts: Iterable[int]) -> str:
    """Return "2" or "2 or 3"."""
    return " or ".join(map(str, sorted(counts)))
