"""The sum of a network's operators as a record of its own, for stores and comparisons of runs.

It is made from the records of the calls at the end of a run and follows them in the journal; a run
that goes on makes it anew, in the place of the earlier one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from msgspec import structs, to_builtins

from opperf.calls.capturing.description import direction_of, network_subject, title
from opperf.calls.capturing.source import INFERENCE
from opperf.calls.format.values import call_from
from opperf.calls.measuring.casting import cast
from opperf.calls.measuring.description import call_key
from opperf.calls.ranking.across import is_of_call
from opperf.calls.ranking.ranking import is_sum, place_of, rank
from opperf.core.results import record
from opperf.core.results.identity import NETWORK, digest
from opperf.core.results.outcome import Outcome
from opperf.core.results.reading import from_mapping
from opperf.core.statistics.reliability import widest_reliable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from opperf.calls.format.model import CallsRecord
    from opperf.calls.ranking.ranking import RankedCall, Ranking
    from opperf.core.configuration.settings import Settings
    from opperf.core.results.result import Result

SUM = "sum of operators"
NAMED = 3
"""How many operators without a time are named."""


def network_sums(
    network: CallsRecord, dtype: str | None, settings: Settings, results: Sequence[Result]
) -> list[Result]:
    """Return the sum of a network's operators at each place where some of them have a time.

    Each stands in the place of an earlier one among the results, unless it says the same.

    Args:
        network: the network's calls.
        dtype: the element type that they were cast to, None where they were not.
        settings: how they were measured.
        results: what counts of the run.

    """
    # On another framework calls are measured as declared operators, some of them: that is no sum.
    calls = [each for each in results if is_of_call(each)]
    made = (
        sum_of(network, dtype, settings, ranking)
        for ranking in rank(network, calls, dtype)
        if ranking.timed
    )
    earlier = {place_of(each): each for each in results if is_sum(each)}
    return [
        structs.replace(one, supersedes=before.result_id) if before else one
        for one in made
        if (before := earlier.get(place_of(one))) is None or not says_the_same(one, before)
    ]


def says_the_same(one: Result, other: Result) -> bool:
    """Return whether two sums are of the same calls and come to the same."""
    return (one.definition_key, one.status, one.summary) == (
        other.definition_key, other.status, other.summary,
    )  # fmt: skip


def sum_of(network: CallsRecord, dtype: str | None, settings: Settings, ranking: Ranking) -> Result:
    """Return the record of the sum at one place.

    Which calls it is of belongs to what it is: a sum of others is never compared with it.
    """
    framework, device, threads, cache = ranking.place
    place = replace(settings, threads=threads or settings.threads, cache=cache or settings.cache)
    given = {
        "mode": network.mode,
        "batch": network.batch,
        "dtype": dtype,
        "calls": shares_text(network, ranking.timed),
        "key": digest(sorted(counts_of(ranking.timed, dtype))),
    }
    subject = network_subject(
        network.network, SUM, given, {"framework": framework, "device": device}, place
    )
    first = next(one.result for one in ranking.timed if one.result)
    summary = summary_of(ranking)
    wide = summary["precision"] is None or summary["precision"] > widest_reliable(place.precision)
    fields = record.assemble(
        subject,
        direction_of(training=network.mode != INFERENCE),
        Outcome(status="noisy" if wide else "ok", reason=reason_of(network, ranking)),
        first.environment,
        record.now(),
    )
    named = {"kind": NETWORK, "name": title(network.network, network.mode, SUM)}
    return from_mapping({**fields, "subject": named, "summary": summary})


def counts_of(calls: Iterable[RankedCall], dtype: str | None) -> list[Any]:
    """Return which calls there are, and how often each is made."""
    return [
        [call_key(cast(call_from(to_builtins(one.call)), dtype)), one.call.count] for one in calls
    ]


def shares_text(network: CallsRecord, timed: Sequence[RankedCall]) -> str:
    """Return "60 of 62": how many of the calls of a step a sum is of."""
    every = sum(call.count for call in network.calls)
    return f"{sum(one.call.count for one in timed)} of {every}"


def reason_of(network: CallsRecord, ranking: Ranking) -> str | None:
    """Return which calls a sum is without, None where it is of all."""
    timed = {id(one.call) for one in ranking.timed}
    missing = [call.operator for call in network.calls if id(call) not in timed]
    if not missing:
        return None
    names = [*dict.fromkeys(missing)]
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return (
        f"of {shares_text(network, ranking.timed)} calls of a step; "
        f"without {', '.join(names[:NAMED])}{more}"
    )


def summary_of(ranking: Ranking) -> Mapping[str, Any]:
    """Return the sum with its interval, from those of as many calls as have a time."""
    half, total = ranking.half_width, ranking.total
    return {
        "n": len(ranking.timed),
        "median": total,
        "interval": None if half is None else [max(total - half, 0.0), total + half],
        "precision": None if half is None or not total else half / total,
        "warnings": [],
    }
