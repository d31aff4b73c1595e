"""Why the sum of a network's calls, each measured by itself, is not the time of the network.

Under the framework's profiler a step takes what is between its operators and what each of them
takes there. Of what operators take in the network and not by themselves, two causes are measured:
caches that operands have left, and memory that the system has to give anew.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from opperf.calls.ranking.whole import whole_step

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.calls.format.model import CallsRecord
    from opperf.calls.ranking.ranking import RankedCall, Ranking
    from opperf.calls.ranking.whole import WholeStep


@dataclass(frozen=True, kw_only=True)
class OperatorTimes:
    """The seconds a step of an operator by the profiler, and those of its calls by themselves.

    `complete` says whether all its calls have a time.
    """

    operator: str
    profiled: float
    alone: float
    complete: bool

    @property
    def more(self) -> float:
        """What it takes in the network and not by itself."""
        return self.profiled - self.alone


@dataclass(frozen=True, kw_only=True)
class ColdCalls:
    """What calls take with cold caches and not with hot ones; they carry a share of the sum."""

    count: int
    carried: float
    more: float


@dataclass(frozen=True, kw_only=True)
class Faults:
    """The page faults of a step, at most how many its calls have by themselves, and their cost."""

    whole: float
    alone: float | None
    each: float

    @property
    def seconds(self) -> float:
        """What those take that the calls do not have by themselves."""
        return max(self.whole - (self.alone or 0.0), 0.0) * self.each


@dataclass(frozen=True, kw_only=True)
class NetworkDifference:
    """A network's step against the sum of its calls; what was not measured is None.

    Args:
        whole: the step.
        total: the sum of its calls.
        half_width: half the 95 % interval of the sum.
        calls: how many calls a step makes.
        between: the seconds between operators.
        operators: those that the profiler knows, where it and the calls differ most first.
        cold: what cold caches cost the dearest calls.
        faults: what memory costs that is given anew.
    """

    whole: WholeStep
    total: float
    half_width: float | None
    calls: int
    between: float | None
    operators: Sequence[OperatorTimes]
    cold: ColdCalls | None
    faults: Faults | None

    @property
    def seconds(self) -> float:
        """By how much the step takes longer than the sum."""
        return self.whole.seconds - self.total

    @property
    def uncertain(self) -> bool:
        """Whether the step's interval and that of the sum have a point in common."""
        if self.whole.interval is None or self.half_width is None:
            return False
        low, high = self.whole.interval
        return low <= self.total + self.half_width and self.total - self.half_width <= high

    @property
    def inside(self) -> float | None:
        """What operators take in the network and not by themselves, of those with all times."""
        found = [one.more for one in self.operators if one.complete]
        return sum(found) if found else None

    @property
    def untimed(self) -> float:
        """What calls without a time take by the profiler."""
        return sum(max(one.more, 0.0) for one in self.operators if not one.complete)

    @property
    def accounted(self) -> float | None:
        """How much of the difference its measured causes make up at most, None where none is."""
        causes = (
            self.between,
            max(self.cold.more, 0.0) if self.cold else None,
            self.faults.seconds if self.faults else None,
        )
        known = [cause for cause in causes if cause is not None]
        return sum(known) + self.untimed if known else None


def difference(record: CallsRecord, ranking: Ranking) -> NetworkDifference | None:
    """Return the difference, None where the whole network was not timed."""
    whole = whole_step(record)
    if whole is None:
        return None
    operators = operator_times(record, ranking, whole.profiler)
    inside = sum(one.profiled for one in operators)
    step = whole.profiled or whole.seconds
    return NetworkDifference(
        whole=whole,
        total=ranking.total,
        half_width=ranking.half_width,
        calls=sum(call.count for call in record.calls),
        between=max(step - inside, 0.0) if operators else None,
        operators=sorted(operators, key=lambda one: -abs(one.more)),
        cold=cold_calls(ranking),
        faults=faults(whole, ranking),
    )


def operator_times(
    record: CallsRecord, ranking: Ranking, profiler: Mapping[str, float]
) -> list[OperatorTimes]:
    """Return the operators that both know; what the profiler has beside is between operators."""
    alone: dict[str, float] = {}
    timed: dict[str, int] = {}
    made: dict[str, int] = {}
    for call in record.calls:
        name = profiled_name(call.operator, profiler)
        made[name] = made.get(name, 0) + call.count
    for one in ranking.timed:
        name = profiled_name(one.call.operator, profiler)
        alone[name] = alone.get(name, 0.0) + (one.total or 0.0)
        timed[name] = timed.get(name, 0) + one.call.count
    return [
        OperatorTimes(
            operator=name,
            profiled=profiler[name],
            alone=alone.get(name, 0.0),
            complete=timed.get(name, 0) == count,
        )
        for name, count in made.items()
        if name in profiler
    ]


def profiled_name(operator: str, profiler: Mapping[str, float]) -> str:
    """Return an operator as the profiler calls it: PyTorch's knows no overloads."""
    return operator if operator in profiler else operator.rpartition(".")[0]


def cold_calls(ranking: Ranking) -> ColdCalls | None:
    """Return what cold caches cost the calls that were measured so, None where none was."""
    pairs = [(one, more) for one in ranking.timed if (more := cold_more(one)) is not None]
    if not pairs:
        return None
    return ColdCalls(
        count=len(pairs),
        carried=sum(one.share or 0.0 for one, _ in pairs),
        more=sum(more for _, more in pairs),
    )


def cold_more(one: RankedCall) -> float | None:
    """Return the seconds a step that a call takes cold and not hot."""
    cold = one.cold.seconds if one.cold else None
    if cold is None or one.seconds is None:
        return None
    return (cold - one.seconds) * one.call.count


def faults(whole: WholeStep, ranking: Ranking) -> Faults | None:
    """Return the page faults of a step, None where they were not counted."""
    if whole.page_faults is None or whole.seconds_per_fault is None:
        return None
    alone = [faults_of(one) for one in ranking.timed]
    known = [each for each in alone if each is not None]
    return Faults(
        whole=whole.page_faults,
        alone=sum(known) if known else None,
        each=whole.seconds_per_fault,
    )


def faults_of(one: RankedCall) -> float | None:
    """Return at most how many page faults a step's calls have: those of all that was sampled."""
    result = one.result
    if result is None or result.samples is None or result.noise is None:
        return None
    counted = result.noise.page_faults
    made = len(result.samples.seconds) * result.samples.iterations
    return None if counted is None else one.call.count * counted / made
