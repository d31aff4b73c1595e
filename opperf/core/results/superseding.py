"""A row measured once more: the later result stands for the row, and the earlier one is kept.

Which of the two counts is decided by the order alone, never by their times or intervals: whoever
chooses among measurements by what they say makes them say it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from opperf.core.results.status import NOISY

if TYPE_CHECKING:
    from collections.abc import Iterable

    from opperf.core.results.result import Result

OF_MEMORY_PASS = ("not_fused",)
"""The warnings that come of the memory pass."""
MAY_IMPROVE = (NOISY, "no_time")
"""The statuses of what a quieter machine may measure better."""


def latest(results: Iterable[Result]) -> list[Result]:
    """Return the results that count: a later one in the place of the one that it supersedes."""
    found: dict[str, Result] = {}
    places: dict[str, str] = {}
    for result in results:
        earlier = result.supersedes or result.result_id
        place = places.get(earlier, earlier)
        places[result.result_id] = place
        found[place] = result
    return [*found.values()]


def superseding(result: Result, earlier: Result) -> Result:
    """Return a row's second result, with what the memory pass found beside the first one."""
    known = {metric.name for metric in result.metrics}
    found = replace(
        result,
        supersedes=earlier.result_id,
        memory=earlier.memory,
        fusion=earlier.fusion,
        metrics=(
            *result.metrics,
            *(metric for metric in earlier.metrics if metric.name not in known),
        ),
    )
    if found.summary is None or earlier.summary is None:
        return found
    kept = [warning for warning in earlier.summary.warnings if warning.code in OF_MEMORY_PASS]
    warnings = (*found.summary.warnings, *kept)
    return replace(found, summary=replace(found.summary, warnings=warnings))


def may_improve(result: Result) -> bool:
    """Return whether a result is unreliable for a reason that may be gone another time."""
    return result.status in MAY_IMPROVE
