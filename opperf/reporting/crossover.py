"""The size from which another framework is the faster, from a sweep's points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from opperf.core.results.result import input_key
from opperf.reporting.pairing import APART, ratio

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opperf.core.results.result import Result
    from opperf.reporting.series import Series


@dataclass(frozen=True, kw_only=True)
class Crossover:
    """Between `low`, where `slower` is still the faster one, and `high`, where `faster` is.

    Both are sizes that were measured: the crossover lies between them.
    """

    first: Series
    other: Series
    faster: str
    slower: str
    low: float
    high: float


def crossovers(series: Sequence[Series]) -> Iterator[Crossover]:
    """Yield the crossovers of each framework with the first one on the same job."""
    firsts: dict[tuple[str, ...], Series] = {}
    for one in series:
        first = firsts.setdefault(subject(one), one)
        crossing = None if first is one else crossover(first, one)
        if crossing:
            yield crossing


def subject(one: Series) -> tuple[str, ...]:
    """Return what two frameworks' series of one job share."""
    names = ("name", "fused", "device", "direction", "threads", "cache")
    shapes = [str([item.name, item.dtype, [*item.shape][1:]]) for item in one.first.inputs]
    return (*(str(getattr(one.first.operator, name)) for name in names), *shapes)


def crossover(first: Series, other: Series) -> Crossover | None:
    """Return from which size on one is the faster, None where one is at every size or neither.

    Only sizes at which both times are reliable and differ significantly say which is faster.
    """
    signs = [*signs_by_size(first, other)]
    names = [str(one.first.operator.framework) for one in (first, other)]
    last = signs[-1][1] if signs else None
    against = [at for at, (_, faster) in enumerate(signs) if faster != last]
    if last is None or not against:
        return None
    low, high = signs[against[-1]][0], signs[against[-1] + 1][0]
    faster, slower = names[last], names[1 - last]
    return Crossover(first=first, other=other, faster=faster, slower=slower, low=low, high=high)


def signs_by_size(first: Series, other: Series) -> Iterator[tuple[float, int]]:
    """Yield each size that tells with which of the two is the faster there: 0 or 1."""
    theirs = {input_key(result): result for result in other.results}
    for result in sorted(first.results, key=first.work):
        found = faster(result, theirs.get(input_key(result)))
        if found is not None:
            yield first.work(result), found


def faster(one: Result, other: Result | None) -> int | None:
    """Return which of the two is the faster, None where that cannot be told."""
    found = ratio(one, other) if other else None
    return int(found.value < 1) if found and found.judgement == APART else None
