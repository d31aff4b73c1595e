"""What a run says at its end of the times that are unreliable: how many, why, what to do."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from opperf.core.results.parts import NoiseRecord
from opperf.core.results.superseding import attempts, choose, may_improve

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opperf.core.results.result import Result

MARKED, STOLEN, WAITED = 0.2, 0.02, 0.5
"""Shares of the time of the samples from which on something counts as the cause."""
NOT_ALONE = "something else used the processor"
BY_CODE = {
    "drift": "the times moved while they were sampled",
    "bimodal": "the times fall into two groups",
}


def unreliable_lines(results: Sequence[Result], again: str) -> Iterator[str]:
    """Yield the lines about the results that are unreliable; none where there are none.

    Args:
        results: All of a run, those in whose place another one stands included.
        again: The command that measures just these once more.
    """
    rows = attempts(results)
    asked = [result for result in map(choose, rows) if not result.companion]
    doubtful = [result for result in asked if may_improve(result)]
    timed = [result for result in asked if result.seconds is not None or result in doubtful]
    if not doubtful:
        return
    repeated = {result.result_id for row in rows if row[1:] for result in row}
    twice = sum(result.result_id in repeated for result in doubtful)
    measured = f", {twice} of them measured twice" if twice else ""
    yield f"{len(doubtful)} of {len(timed)} times are not to be relied on{measured}"
    causes = Counter(cause(result) for result in doubtful)
    yield "why: " + "; ".join(f"{name} ({count})" for name, count in causes.most_common())
    yield f"`opperf doctor` tells what disturbs this machine; measure just these again: {again}"


def cause(result: Result) -> str:
    """Return the likeliest cause of a noisy time, from its noise and its warnings."""
    noise = result.noise or NoiseRecord()
    codes = {warning.code for warning in result.warnings}
    if result.status == "no_time":
        return "no longer than the timed loop"
    if (noise.steal or 0) > STOLEN:
        return "the host took the processor (steal)"
    if "disturbed" in codes or (noise.marked or 0) > MARKED:
        return NOT_ALONE
    if (noise.pressure or 0) > WAITED:
        return "other processes waited for the processors (load)"
    named = [text for code, text in BY_CODE.items() if code in codes]
    return named[0] if named else "the samples differ, for no cause that was seen"
