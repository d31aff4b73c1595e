"""A network's calls as reports show them: which network, measured where, ranked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from opperf.calls.ranking.ranking import rank
from opperf.core.results.superseding import counting
from opperf.reporting.wording import number

if TYPE_CHECKING:
    from collections.abc import Iterable

    from opperf.calls.format.model import CallRecord, CallsRecord
    from opperf.calls.ranking.ranking import RankedCall, Ranking
    from opperf.core.results.result import Result


@dataclass(frozen=True, kw_only=True)
class RankedNetwork:
    """A network's calls, and what each of them costs at one place of measurement.

    `run` is what the run is called that measured them; `wrong_calls` of the network's file were
    left out, because they could not be read.
    """

    run: str
    record: CallsRecord
    ranking: Ranking
    wrong_calls: int = 0

    @property
    def whole(self) -> float | None:
        """The seconds of a step of the whole network, None where it was not timed."""
        seconds = number(self.record.measured.get("seconds"))
        return seconds if seconds and seconds > 0 else None

    @property
    def whole_half_width(self) -> float | None:
        """Half the 95 % interval of these seconds, None where there is none."""
        ends = self.record.measured.get("interval")
        found = [number(end) for end in ends] if isinstance(ends, (list, tuple)) else []
        if len(found) != len(("low", "high")) or None in found:
            return None
        low, high = (end or 0.0 for end in found)
        return (high - low) / 2 if high >= low else None

    @property
    def unmeasured(self) -> list[CallRecord]:
        """The calls of which there is no result: a filter left them out, or the run was ended."""
        known = {id(one.call) for one in self.ranking.calls}
        return [call for call in self.record.calls if id(call) not in known]


def networks_of(
    run: str,
    record: CallsRecord,
    results: Iterable[Result],
    dtype: str | None,
    wrong_calls: int = 0,
) -> list[RankedNetwork]:
    """Return a ranking of the calls for each place at which they were measured.

    `dtype` is the element type that they were cast to, None where they were not.
    """
    return [
        RankedNetwork(run=run, record=record, ranking=ranking, wrong_calls=wrong_calls)
        for ranking in rank(record, counting(results), dtype)
    ]


def unreliable(ranking: Ranking) -> list[RankedCall]:
    """Return the calls whose time is not to be relied on."""
    return [one for one in ranking.timed if one.result and not one.result.reliable]


def unreliable_share(ranking: Ranking) -> float:
    """Return the share of the sum that rests on such times."""
    return sum(one.share or 0.0 for one in unreliable(ranking))
