"""The times of networks' calls for `opperf list --calls`, from the runs that measured them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.calls.measuring.plan import dtype_of
from opperf.calls.ranking.ranking import rank
from opperf.cli.calls.run import calls_of_run
from opperf.cli.common.finding import find_results
from opperf.core.errors import UsageError
from opperf.core.results.superseding import counting
from opperf.reporting.network import unreliable_share
from opperf.reporting.text import clean

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator, Sequence

    from opperf.calls.format.model import CallsRecord
    from opperf.calls.ranking.ranking import Ranking
    from opperf.core.results.result import Result

    Measured = tuple[list[Result], str | None]
    """The results of a run, and the element type that its calls were cast to."""


def rankings_of(records: Sequence[CallsRecord], arguments: Namespace) -> list[Ranking | None]:
    """Return each network's calls with their times, None where the runs have none of them.

    Where several runs, or places in a run, have times of a network, the one with most of its calls
    counts, and of those the first: times of one place are not added to those of another.

    Raises:
        UsageError: a run is none of calls, or they have no time of any network.
    """
    runs = [results_of_calls(arguments, run) for run in arguments.times]
    found = [fullest(record, runs) for record in records]
    if not any(found):
        raise UsageError(
            f"--times {' '.join(arguments.times)}: no call of these files has a time there; "
            "measure them: opperf run --calls FILE"
        )
    return found


def results_of_calls(arguments: Namespace, run: str) -> Measured:
    """Return the results of a run of calls.

    Raises:
        UsageError: it is a run of operators.
    """
    found = calls_of_run(arguments, run)
    if found is None:
        raise UsageError(f"--times {run}: is no run of a network's calls (opperf run --calls)")
    return counting(find_results(arguments, run)), dtype_of(found[1])


def fullest(record: CallsRecord, runs: Sequence[Measured]) -> Ranking | None:
    """Return the ranking that has a time of most of the calls, None where there is no time."""
    rankings = [
        ranking
        for results, dtype in runs
        for ranking in rank(record, results, dtype)
        if ranking.timed and ranking.place[0] == record.framework
    ]
    return max(rankings, key=timed_calls, default=None)


def timed_calls(ranking: Ranking) -> int:
    """Return how many calls of a step have a time."""
    return sum(one.call.count for one in ranking.timed)


def times_lines(
    records: Sequence[CallsRecord], rankings: Sequence[Ranking | None]
) -> Iterator[str]:
    """Yield of each network how many calls have a time, and how sure the times are."""
    for record, ranking in zip(records, rankings, strict=False):
        made = sum(call.count for call in record.calls)
        if ranking is None:
            yield f"{clean(record.network)}: none of its {made} calls has a time in these runs"
            continue
        framework, device, threads, cache = ranking.place
        where = f"{framework}, {device}, {threads} thread{'s' if threads != 1 else ''}, {cache}"
        unsure = unreliable_share(ranking)
        doubt = f"; {unsure:.0%} of their time is not to be relied on" if unsure else ""
        yield (
            f"{clean(record.network)}: {timed_calls(ranking)} of {made} calls have a time "
            f"({where}){doubt}"
        )
