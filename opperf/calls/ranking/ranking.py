"""What of a network's time each of its calls costs, by the times of the calls and their counts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from math import sqrt
from typing import TYPE_CHECKING

from msgspec import to_builtins

from opperf.calls.format.values import call_from
from opperf.calls.measuring.casting import cast
from opperf.calls.measuring.description import call_key
from opperf.core.results.identity import NETWORK, digest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from opperf.calls.format.model import CallRecord, CallsRecord
    from opperf.core.results.result import Result

    Place = tuple[str, str, int | None, str | None]
    """A framework, a device, a number of threads and a state of the caches."""

LAUNCHES = 2
"""A call that takes up to so many times the time of a copy of one element is bound by launching."""
HOT = 3
"""The first fields of a place: launches are measured hot, whatever the others are."""
UNPLACED = "(unknown)"
"""What stands for the module or the phase of a call whose place nobody has recorded."""


@dataclass(frozen=True, kw_only=True)
class RankedCall:
    """A distinct call of a network, how often it is made, and what that costs.

    `result` is the one of the call, None where it was not measured; `share` is that of the sum of
    all calls' times, `cumulative` that of this call and those before it. `cold` is a result with
    cold caches beside one with hot ones, where the call is among the dearest.
    """

    call: CallRecord
    result: Result | None
    cold: Result | None = None
    share: float | None = None
    cumulative: float | None = None
    launch: float | None = None

    @property
    def seconds(self) -> float | None:
        """The seconds of one call."""
        return self.result.seconds if self.result else None

    @property
    def total(self) -> float | None:
        """The seconds of all calls of a step of the network."""
        return None if self.seconds is None else self.seconds * self.call.count

    @property
    def phases(self) -> Mapping[str, int]:
        """How many of the calls are made in each phase."""
        return count_by(self.call, lambda place: place.phase)

    @property
    def modules(self) -> Mapping[str, int]:
        """How many of the calls are made in each module."""
        return count_by(self.call, lambda place: place.module)

    @property
    def launch_bound(self) -> bool | None:
        """Whether most of its time is what any call costs, None where that is not known."""
        if self.seconds is None or self.launch is None:
            return None
        return self.seconds < LAUNCHES * self.launch


@dataclass
class Beside:
    """What was measured beside a network's calls: the cost of a launch, and calls that are cold."""

    launch: float | None = None
    cold: dict[str, Result] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Share:
    """What the calls with a key in common cost."""

    key: str
    count: int
    distinct: int
    total: float
    share: float
    cumulative: float


@dataclass(frozen=True, kw_only=True)
class Ranking:
    """A network's calls at a place of measurement, the dearest first; those without a time last.

    `launch` are the seconds of a copy of one element.
    """

    place: Place
    calls: Sequence[RankedCall]
    launch: float | None = None
    timed: Sequence[RankedCall] = field(init=False)
    missing: Sequence[RankedCall] = field(init=False)

    def __post_init__(self) -> None:
        """Tell calls with a time from those without."""
        calls = self.calls
        object.__setattr__(self, "timed", [one for one in calls if one.seconds is not None])
        object.__setattr__(self, "missing", [one for one in calls if one.seconds is None])

    @property
    def total(self) -> float:
        """The seconds of all calls that have a time."""
        return sum(one.total or 0.0 for one in self.timed)

    @property
    def half_width(self) -> float | None:
        """Half the 95 % interval of the sum, None where a call's time has none.

        The calls are measured one by one, so that their errors are independent.
        """
        squares = 0.0
        for one in self.timed:
            interval = one.result.interval if one.result else None
            if interval is None:
                return None
            squares += (one.call.count * (interval[1] - interval[0]) / 2) ** 2
        return sqrt(squares)

    def seconds_in(self, phase: str) -> float:
        """Return the seconds of the calls of a phase."""
        return sum((one.seconds or 0.0) * one.phases.get(phase, 0) for one in self.timed)

    def by(self, key_of: Callable[[RankedCall], Mapping[str, int]]) -> list[Share]:
        """Return the sums by a key, the dearest first; a call may count for several keys."""
        counts: Counter[str] = Counter()
        distinct: Counter[str] = Counter()
        seconds: dict[str, float] = {}
        for one in self.timed:
            for key, count in key_of(one).items():
                seconds[key] = seconds.get(key, 0.0) + count * (one.seconds or 0.0)
                counts[key] += count
                distinct[key] += 1
        whole, so_far, found = self.total or 1.0, 0.0, []
        for key in sorted(seconds, key=lambda name: (-seconds[name], name)):
            so_far += seconds[key]
            found.append(
                Share(
                    key=key, count=counts[key], distinct=distinct[key], total=seconds[key],
                    share=seconds[key] / whole, cumulative=so_far / whole,
                )
            )  # fmt: skip
        return found


def count_by(call: CallRecord, key_of: Callable[..., str]) -> dict[str, int]:
    """Return how many of the calls are made at places of each key, those of unknown place last."""
    found: Counter[str] = Counter()
    for place in call.places:
        found[key_of(place)] += place.count
    left = call.count - sum(found.values())
    return {**found, **({UNPLACED: left} if left > 0 else {})}


def rank(record: CallsRecord, results: Iterable[Result], dtype: str | None) -> list[Ranking]:
    """Return a ranking for each place at which calls were measured.

    Args:
        record: the network's calls.
        results: what was measured of them.
        dtype: the element type that they were cast to, None where they were not.

    """
    by_place: dict[Place, dict[str, Result]] = {}
    beside: dict[str, Beside] = {}
    for result in results:
        if is_sum(result):
            continue
        place, key = place_of(result), key_of_result(result)
        if not result.companion:
            by_place.setdefault(place, {})[key] = result
            continue
        found = beside.setdefault(digest(place[:HOT]), Beside())
        if place[HOT] == "cold":
            found.cold[key] = result
        else:
            found.launch = result.seconds
    keyed = [(call, call_key(cast(call_from(to_builtins(call)), dtype))) for call in record.calls]
    return [
        ranking(place, keyed, found, beside.get(digest(place[:HOT]), Beside()))
        for place, found in by_place.items()
    ]


def ranking(
    place: Place,
    keyed: Sequence[tuple[CallRecord, str]],
    found: Mapping[str, Result],
    beside: Beside,
) -> Ranking:
    """Return the calls in order of their cost."""
    calls = [
        RankedCall(
            call=call, result=found.get(key), cold=beside.cold.get(key), launch=beside.launch
        )
        for call, key in keyed
    ]
    timed = sorted(
        (one for one in calls if one.total is not None), key=lambda one: -(one.total or 0.0)
    )
    missing = [one for one in calls if one.total is None and one.result is not None]
    return Ranking(place=place, calls=[*shared(timed), *missing], launch=beside.launch)


def shared(timed: Sequence[RankedCall]) -> Iterator[RankedCall]:
    """Yield calls in order with their shares of the sum."""
    whole, so_far = sum(one.total or 0.0 for one in timed), 0.0
    for one in timed:
        total = one.total or 0.0
        so_far += total
        yield replace(
            one,
            share=total / whole if whole else None,
            cumulative=so_far / whole if whole else None,
        )


def is_sum(result: Result) -> bool:
    """Return whether a result is of a network, and none of its calls."""
    return result.subject is not None and result.subject.kind == NETWORK


def place_of(result: Result) -> Place:
    """Return where and how a result was measured."""
    operator = result.operator
    return operator.framework, operator.device, operator.threads, operator.cache


def key_of_result(result: Result) -> str:
    """Return what `opperf.calls.measuring.description.call_key` returns of the call."""
    inputs = [item.to_mapping() for item in result.inputs]
    return digest([result.operator.name, inputs, result.attributes, result.initializer])
