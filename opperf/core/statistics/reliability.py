"""Whether a median may be relied on: the one rule behind the status `noisy`.

Everything else that a reader should know is a warning of its own and leaves the status alone, and
how far a reliable median may be off is said by its interval. Not to be relied on is one

- whose 95 % interval reaches further than 5 % to either side, or twice the precision that was
  asked for where that is more: the ratio of two such medians may be off by a tenth, the least
  that two runs are told apart by; and whoever asks for little precision is not warned of it;
- without an interval though there were samples enough for one;
- many of whose samples were disturbed, with too few others: these make a narrow interval about a
  wrong value as well.

Neither the drift of the samples nor their shape decides: the interval holds what they do to it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.configuration.settings import MINIMUM_SAMPLES

if TYPE_CHECKING:
    from opperf.core.statistics.summary import Summary

WIDEST, TIMES_PRECISION = 0.05, 2.0


def widest_reliable(precision: float) -> float:
    """Return the largest relative half-width of a reliable interval, by the precision asked for."""
    return max(WIDEST, TIMES_PRECISION * precision)


def is_noisy(summary: Summary, *, precision: float, disturbed: bool) -> bool:
    """Return whether the median is not to be relied on.

    Args:
        summary: What the samples amount to.
        precision: The relative half-width that was asked for.
        disturbed: Whether something else had the processor and too few other samples are left.
    """
    if disturbed:
        return True
    if summary.precision is None:
        return summary.n >= MINIMUM_SAMPLES
    return summary.precision > widest_reliable(precision)
