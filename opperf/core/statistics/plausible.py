"""Whether a median of seconds can be a time at all."""

from __future__ import annotations

SHORTEST, LONGEST = 1e-15, 1e9
"""Seconds per iteration that no operator beats, and that nobody waits for."""
NO_TIME = (
    "the median is not above the cost of the timed loop, or beyond what a clock tells; measure "
    "again on a quieter machine (opperf doctor), or a larger size"
)


def is_time(median: float, loop_overhead: float) -> bool:
    """Return whether a median of seconds per iteration, net of the loop's own, is a time.

    A slope of two noisy intervals can come out negative; what is no more than the overhead that was
    taken off tells nothing of the operator.
    """
    return SHORTEST < median <= LONGEST and loop_overhead < median
