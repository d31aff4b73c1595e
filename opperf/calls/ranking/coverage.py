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
    from opperf.core.frameworks.calling import Meaning


@dataclass(frozen=True, kw_only=True)
class Covered:
    """An operator that networks call: how often, in how many forms, and what it is to us."""

    framework: str
    operator: str
    calls: int
    distinct: int
    networks: int
    share: float
    meaning: Meaning


def coverage(records: Sequence[CallsRecord]) -> list[Covered]:
    """Return what each operator is to us, what is missing first, and of these the most called.

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
    found = [
        Covered(
            framework=framework,
            operator=operator,
            calls=count,
            distinct=distinct[framework, operator],
            networks=networks[framework, operator],
            share=count / calls.total(),
            meaning=find_framework(framework).calling.meaning(operator),
        )
        for (framework, operator), count in calls.items()
    ]
    order = [MISSING, *(kind for kind in KINDS if kind != MISSING)]
    return sorted(found, key=lambda one: (order.index(one.meaning.kind), -one.calls, one.operator))


def shares(covered: Iterable[Covered]) -> dict[str, float]:
    """Return the share of the calls of each kind."""
    found = dict.fromkeys(KINDS, 0.0)
    for one in covered:
        found[one.meaning.kind] += one.share
    return found
