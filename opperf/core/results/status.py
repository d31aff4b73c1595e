"""How a measurement can end, and whether it ended with a time."""

from __future__ import annotations

from opperf.core.statistics.plausible import is_time

STATUSES = (
    "ok", "noisy", "no_time", "failed", "crashed", "timeout", "out_of_memory", "wrong_result",
    "unsupported", "skipped", "interrupted",
)  # fmt: skip
NOISY = "noisy"
"""The status of a time that is not to be relied on, whatever the reason."""
TIMED = ("ok", NOISY)
"""The statuses whose time is a time."""
TROUBLE = ("failed", "crashed", "timeout", "out_of_memory", "wrong_result", "interrupted")
"""The statuses that are somebody's fault: a run with one of them does not end with 0."""


def has_time(status: str, median: float | None, loop_overhead: float | None) -> bool:
    """Return whether a record has a time: its status says so, and its median is one.

    Without a summary there is no median, without samples no overhead that was taken off.
    """
    return status in TIMED and median is not None and is_time(median, loop_overhead or 0.0)
