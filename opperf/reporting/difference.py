"""What is said of a whole network beside the sum of its calls: by what they differ, measured."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.calls.ranking.difference import difference
from opperf.core.units import format_seconds
from opperf.reporting.text import clean

if TYPE_CHECKING:
    from collections.abc import Iterator

    from opperf.calls.format.model import CallsRecord
    from opperf.calls.ranking.difference import NetworkDifference
    from opperf.calls.ranking.ranking import Ranking

FEW = 1e-4
"""A share below which no difference is explained."""
MOST_NAMED = 2
"""Operators that are named, of those where the profiler and the calls differ most."""


def network_lines(record: CallsRecord, ranking: Ranking) -> Iterator[str]:
    """Yield how the sum compares with the whole network, where that was timed: six lines at most.

    What is behind a colon was measured, or it says why it is not known.
    """
    found = difference(record, ranking)
    if found is None or not ranking.timed:
        return
    yield whole_line(found, ranking)
    if abs(found.seconds) >= FEW * found.whole.seconds:
        yield between_line(found)
        yield inside_line(found)
        yield cold_line(found, ranking)
        yield faults_line(found)
        yield accounted_line(found)


def whole_line(found: NetworkDifference, ranking: Ranking) -> str:
    """Return what the network takes, and what there is to doubt about it."""
    whole = found.whole
    results = [one.result for one in ranking.timed if one.result]
    between = f" ({' to '.join(map(format_seconds, whole.interval))})" if whole.interval else ""
    doubts = " and ".join(whole.doubts(results))
    measured = f", measured {doubts}" if doubts else ""
    share = f"{100 * found.total / whole.seconds:.1f}%"
    gap, order = format_seconds(abs(found.seconds)), "less" if found.seconds >= 0 else "more"
    return (
        f"the whole network takes {format_seconds(whole.seconds)}{between}{measured}: the sum is "
        f"{share} of it, {gap} {order}{', within their intervals' if found.uncertain else ''}"
    )


def between_line(found: NetworkDifference) -> str:
    """Return what is between operators."""
    if found.between is None:
        return "- between operators: unknown, the file has no times of the framework's profiler"
    each = format_seconds(found.between / found.calls)
    what = "Python, autograd, and what composite operators do themselves"
    return f"- between operators: {format_seconds(found.between)}, {each} a call ({what})"


def inside_line(found: NetworkDifference) -> str:
    """Return by how much operators take longer in the network, and which most."""
    if found.inside is None:
        return "- in operators: unknown, the profiler has none of them, or they lack times"
    named = [
        f"{clean(one.operator)} {format_seconds(one.profiled)}, alone {format_seconds(one.alone)}"
        for one in found.operators
        if one.complete
    ]
    most = "; ".join(named[:MOST_NAMED])
    return f"- in operators: {more_or_less(found.inside)} by the profiler than alone, most {most}"


def more_or_less(seconds: float) -> str:
    """Return "1.2 s more" or "1.2 s less"."""
    return f"{format_seconds(abs(seconds))} {'more' if seconds >= 0 else 'less'}"


def cold_line(found: NetworkDifference, ranking: Ranking) -> str:
    """Return what cold caches cost at most."""
    cold = found.cold
    if cold is None:
        measured = ranking.place[-1] == "cold"
        why = "all calls were measured cold" if measured else "no call was measured cold"
        return f"- caches: unknown, {why}"
    calls = f"{cold.count} call{'s' if cold.count != 1 else ''}"
    return (
        f"- caches: at most {more_or_less(cold.more)}, by {calls} with {100 * cold.carried:.0f}% "
        "of the sum, cold against hot"
    )


def faults_line(found: NetworkDifference) -> str:
    """Return what memory costs that the system gives anew."""
    faults = found.faults
    if faults is None:
        return "- allocation: unknown, the file has no page faults of the network"
    alone = "unknown how many" if faults.alone is None else f"at most {faults.alone:,.0f}"
    return (
        f"- allocation: {format_seconds(faults.seconds)}, {faults.whole:,.0f} page faults a step, "
        f"{alone} in the calls alone, {format_seconds(faults.each)} each"
    )


def accounted_line(found: NetworkDifference) -> str:
    """Return how much of the difference these make up."""
    untimed = f", calls without a time {format_seconds(found.untimed)}" if found.untimed else ""
    if found.seconds < 0:
        return "- the calls come from Python one by one, the network's from its framework" + untimed
    if found.accounted is None:
        return f"- of {format_seconds(found.seconds)} nothing is explained{untimed}"
    return (
        f"- these make up at most {format_seconds(found.accounted)} of the "
        f"{format_seconds(found.seconds)}{untimed}"
    )
