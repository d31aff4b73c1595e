"""A network's calls on another framework than their own, as the declared operators they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from msgspec import to_builtins

from opperf.calls.format.values import call_from
from opperf.calls.measuring.casting import cast
from opperf.calls.measuring.declared_plan import elsewhere
from opperf.calls.measuring.description import call_key
from opperf.calls.ranking.ranking import is_sum, key_of_result, place_of
from opperf.core.errors import UnsupportedError
from opperf.core.results.identity import CALL, digest
from opperf.declaring.description import describe_inputs, initializer_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from opperf.calls.declared.finding import DeclaredCall
    from opperf.calls.format.model import CallRecord, CallsRecord
    from opperf.calls.ranking.ranking import Place
    from opperf.core.results.result import Result


@dataclass(frozen=True, kw_only=True)
class AcrossCall:
    """A distinct call: its result on its own framework, and that of its declaration on another.

    `declared` is None where it is no call there, a view or the like, or none that is declared; then
    `why` says why not.
    """

    call: CallRecord
    declared: DeclaredCall | None = None
    why: str = ""
    own: Result | None = None
    other: Result | None = None

    @property
    def ratio(self) -> float | None:
        """The time on the other framework by that on the call's own."""
        here, there = self.own_seconds, self.other_seconds
        return there / here if here and there else None

    @property
    def own_seconds(self) -> float | None:
        """The seconds of one call on its own framework."""
        return self.own.seconds if self.own else None

    @property
    def other_seconds(self) -> float | None:
        """The seconds of one call on the other framework."""
        return self.other.seconds if self.other else None


@dataclass(frozen=True, kw_only=True)
class Across:
    """A network's calls on its own framework and another, the dearest first.

    Those without a time on either come last; `place` is that of the other framework's results.
    """

    own: str
    place: Place
    calls: Sequence[AcrossCall]

    @property
    def other(self) -> str:
        """The other framework."""
        return self.place[0]

    @property
    def both(self) -> list[AcrossCall]:
        """The calls with a time on both."""
        return [one for one in self.calls if one.ratio is not None]

    @property
    def undeclared(self) -> list[AcrossCall]:
        """The calls that are not declared on the other framework, but for those that are none."""
        return [one for one in self.calls if one.why]

    @property
    def own_total(self) -> float:
        """The seconds of all calls of a step on their own framework."""
        return sum(one.call.count * (one.own_seconds or 0.0) for one in self.calls)


def across(record: CallsRecord, results: Sequence[Result], dtype: str | None) -> list[Across]:
    """Return the calls beside each other at each place of another framework.

    Args:
        record: the network's calls.
        results: what was measured of them.
        dtype: the element type that they were cast to, None where they were not.

    """
    own: dict[str, dict[str, Result]] = {}
    others: dict[Place, dict[str, Result]] = {}
    for result in results:
        place = place_of(result)
        if result.companion or is_sum(result):
            continue
        if is_of_call(result):
            own.setdefault(digest(place[1:]), {})[key_of_result(result)] = result
        else:
            others.setdefault(place, {})[key_of_declared(result)] = result
    return [
        Across(
            own=record.framework,
            place=place,
            calls=in_order(calls_at(record, place, own.get(digest(place[1:]), {}), found, dtype)),
        )
        for place, found in others.items()
    ]


def is_of_call(result: Result) -> bool:
    """Return whether a result is of a framework's own operator."""
    return result.subject is not None and result.subject.kind == CALL


def calls_at(
    record: CallsRecord,
    place: Place,
    own: Mapping[str, Result],
    others: Mapping[str, Result],
    dtype: str | None,
) -> Iterable[AcrossCall]:
    """Yield each distinct call with its results at the places of both frameworks."""
    for each in record.calls:
        call = cast(call_from(to_builtins(each)), dtype)
        here = own.get(call_key(call))
        try:
            declared = elsewhere(call, record.framework, place[0])
        except UnsupportedError as error:
            yield AcrossCall(call=each, own=here, why=str(error))
            continue
        there = others.get(key_of(declared)) if declared else None
        yield AcrossCall(call=each, own=here, declared=declared, other=there)


def in_order(calls: Iterable[AcrossCall]) -> list[AcrossCall]:
    """Return the dearest first, on their own framework where they have a time there."""
    return sorted(
        calls, key=lambda one: -one.call.count * (one.own_seconds or one.other_seconds or 0.0)
    )


def key_of(declared: DeclaredCall) -> str:
    """Return what stands for a declaration in a direction, on its inputs."""
    operator = declared.operator
    given = [describe_inputs(operator), operator.keywords, initializer_name(operator)]
    return digest([operator.name(), declared.direction, given])


def key_of_declared(result: Result) -> str:
    """Return the same of its result."""
    inputs = [item.to_mapping() for item in result.inputs]
    given = [inputs, result.attributes, result.initializer]
    return digest([result.operator.name, result.operator.direction, given])
