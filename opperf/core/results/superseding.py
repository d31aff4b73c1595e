"""A row measured once more: which of its results stands for it; all of them are kept.

One that is no more doubtful stands: reliable, or with trouble, which a doubtful time must not hide.
Of several doubtful ones the most certain stands, by the relative width of its interval and never by
its time: to choose the shorter time would be to report the minimum of several. The relative width
stays the same where all samples of a result are that much longer, so that a result is not preferred
for being short. What is left is that samples which differ much are also somewhat longer;
`benchmarks/choice_bias.py` tells by how much.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from opperf.core.results.identity import NETWORK
from opperf.core.results.status import NOISY

if TYPE_CHECKING:
    from collections.abc import Iterable

    from opperf.core.results.result import Result

Certainty = tuple[float, ...]
"""How far a result may stand for its row: of two the greater one does, the later of equals."""
SETTLED: Certainty = (2,)
UNTRIED: Certainty = (0,)
DISTURBED = "disturbed"
OF_MEMORY_PASS = ("not_fused",)
"""The warnings that come of the memory pass."""
MAY_IMPROVE = (NOISY, "no_time")
"""The statuses of what a quieter machine may measure better."""


def certainty(record: Any) -> Certainty:
    """Return how far a result, or its line as a store decodes it, may stand for its row.

    A network's sum follows from other results, so that the newest stands. Samples that something
    disturbed and that were not left out make a narrow interval about a wrong value: they come
    after every other usable interval, which is one that is narrower than the time is long.
    """
    if record.status == "skipped":
        return UNTRIED
    summed = record.subject is not None and record.subject.kind == NETWORK
    if not may_improve(record) or summed:
        return SETTLED
    summary, samples = record.summary, record.samples
    if record.status != NOISY or summary is None:
        return (1, 0)
    left_out = samples is not None and samples.left_out
    disturbed = not left_out and any(one.code == DISTURBED for one in summary.warnings)
    precision = float("inf") if summary.precision is None else summary.precision
    return (1, 1, float(precision < 1), float(not disturbed), -precision)


def attempts(results: Iterable[Result]) -> list[list[Result]]:
    """Return the results of each row in their order: one, or what was measured once more."""
    found: dict[str, list[Result]] = {}
    rows: dict[str, str] = {}
    for result in results:
        earlier = result.supersedes or result.result_id
        rows[result.result_id] = rows.get(earlier, earlier)
        found.setdefault(rows[result.result_id], []).append(result)
    return [*found.values()]


def choose(row: Iterable[Result]) -> Result:
    """Return which of a row's results, in their order, stands for it."""
    return max(reversed([*row]), key=certainty)


def counting(results: Iterable[Result]) -> list[Result]:
    """Return the results that count: one for each row."""
    return [choose(row) for row in attempts(results)]


def superseding(result: Result, earlier: Result) -> Result:
    """Return a row's further result, with what the memory pass found beside the first one."""
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
