"""What fusing gains: a fused operator against the composition of parts that it replaces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.result import input_key
from opperf.reporting.pairing import IN_NOISE, ratio
from opperf.reporting.text import clean
from opperf.reporting.wording import direction_text, given_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opperf.core.result import Result

TITLE = "gain of fusing: time of the parts / time of the fused operator; above 1, fusing pays"


def gains(results: Sequence[Result]) -> list[str]:
    """Return a line an operator and direction that has both times on some framework."""
    lines: dict[tuple[str, ...], list[str]] = {}
    several = len({input_key(fused) for fused, _ in variants(results)}) > 1
    for fused, parts in variants(results):
        gain = ratio(fused, parts)
        if gain is not None:
            mark = " ~" if gain.judgement == IN_NOISE else ""
            found = f"{clean(fused.operator['framework'])} {gain.value:.2f}{mark}"
            size = fused.operator["size"] or given_text(fused) if several else ""
            lines.setdefault((*same(fused), clean(size), input_key(fused)), []).append(found)
    told = [
        f"  {' '.join(filter(None, (name, size, direction_text(direction))))}: {', '.join(found)}"
        for (name, direction, size, _), found in lines.items()
    ]
    return [TITLE, *told] if told else []


def variants(results: Sequence[Result]) -> Iterator[tuple[Result, Result]]:
    """Yield each fused result with that of its parts, on the same framework and inputs."""
    unfused = {key(result): result for result in results if result.operator["fused"] is False}
    for result in results:
        if result.operator["fused"] and key(result) in unfused:
            yield result, unfused[key(result)]


def key(result: Result) -> tuple[str, ...]:
    """Return what a fused result and that of its parts share."""
    place = (str(result.operator["framework"]), str(result.run_id), str(result.session))
    return (*same(result), *place, input_key(result))


def same(result: Result) -> tuple[str, str]:
    """Return operator and direction."""
    return clean(result.operator["name"]), str(result.operator["direction"])
