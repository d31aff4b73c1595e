"""What our declarations cover of the calls of networks."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from opperf.core.frameworks.calling import KINDS, MISSING
from opperf.core.frameworks.registry import find_framework

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from opperf.calls.format.model import CallsRecord
    from opperf.calls.ranking.ranking import Ranking
    from opperf.core.frameworks.calling import Meaning


@dataclass(frozen=True, kw_only=True)
class Covered:
    """An operator that networks call: how often, in how many forms, and what it is to us.

    `timed` of the calls have a time, `seconds` in all; `time_share` is that of all calls' times.
    None where no call has one.
    """

    framework: str
    operator: str
    calls: int
    distinct: int
    networks: int
    share: float
    meaning: Meaning
    timed: int = 0
    seconds: float | None = None
    time_share: float | None = None


def coverage(records: Sequence[CallsRecord], rankings: Iterable[Ranking] = ()) -> list[Covered]:
    """Return what each operator is to us, what is missing first, and of these the dearest.

    Those of which no time is known are in order of their calls.

    Args:
        records: the calls of each network.
        rankings: what the calls of the networks cost, as far as they were measured.

    Raises:
        UsageError: A framework is not known here.
    """
    calls: Counter[tuple[str, str]] = Counter()
    distinct: Counter[tuple[str, str]] = Counter()
    networks: Counter[tuple[str, str]] = Counter()
    for record in records:
        for call in record.calls:
            calls[record.framework, call.operator] += call.count
            distinct[record.framework, call.operator] += 1
        networks.update({(record.framework, call.operator) for call in record.calls})
    times = times_of(rankings)
    whole = sum(seconds for _, seconds in times.values())
    found = [
        Covered(
            framework=framework,
            operator=operator,
            calls=count,
            distinct=distinct[framework, operator],
            networks=networks[framework, operator],
            share=count / calls.total(),
            meaning=find_framework(framework).calling.meaning(operator),
            timed=timed,
            seconds=seconds if timed else None,
            time_share=seconds / whole if timed and whole else None,
        )
        for (framework, operator), count in calls.items()
        for timed, seconds in [times.get((framework, operator), (0, 0.0))]
    ]
    order = [MISSING, *(kind for kind in KINDS if kind != MISSING)]
    return sorted(
        found,
        key=lambda one: (
            order.index(one.meaning.kind), -(one.seconds or 0.0), -one.calls, one.operator
        ),
    )  # fmt: skip


def times_of(rankings: Iterable[Ranking]) -> dict[tuple[str, str], tuple[int, float]]:
    """Return how many calls of each framework's operator have a time, and their seconds."""
    found: dict[tuple[str, str], tuple[int, float]] = {}
    for ranking in rankings:
        for one in ranking.by(lambda call: {call.call.operator: call.call.count}):
            key = ranking.place[0], one.key
            timed, seconds = found.get(key, (0, 0.0))
            found[key] = timed + one.count, seconds + one.total
    return found


def shares(covered: Iterable[Covered]) -> dict[str, float]:
    """Return the share of the calls of each kind."""
    found = dict.fromkeys(KINDS, 0.0)
    for one in covered:
        found[one.meaning.kind] += one.share
    return found


def time_shares(covered: Iterable[Covered]) -> dict[str, float]:
    """Return the share of the time of each kind."""
    found = dict.fromkeys(KINDS, 0.0)
    for one in covered:
        found[one.meaning.kind] += one.time_share or 0.0
    return found
