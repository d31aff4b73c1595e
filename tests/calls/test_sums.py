"""The sum of a network's operators: a record of its own, which runs are compared by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from opperf.calls.capturing.description import title
from opperf.calls.format.model import (
    ArgumentRecord,
    CallRecord,
    CallsRecord,
    TensorRecord,
    ValuesRecord,
)
from opperf.calls.format.values import call_from
from opperf.calls.measuring.description import describe_call
from opperf.calls.measuring.plan import without_counts
from opperf.calls.ranking.sums import network_sums
from opperf.comparing.stored import match
from opperf.core.configuration.settings import Settings
from opperf.core.results import record
from opperf.core.results.outcome import Outcome
from opperf.core.results.reading import from_mapping

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.results.result import Result

SETTINGS = Settings()
ENVIRONMENT = {"machine_key": "m", "cpu": "one"}


def call(operator: str, count: int) -> CallRecord:
    """Return a call of no arguments."""
    return CallRecord(operator=operator, count=count)


MM, RELU = call("aten.mm.default", 12), call("aten.relu.default", 3)
VIEW = call("aten.t.default", 5)


def network(*calls: CallRecord) -> CallsRecord:
    """Return a network of these calls."""
    return CallsRecord(
        network="toy", framework="pytorch", mode="training", batch=8, calls=tuple(calls)
    )


def measured(one: CallRecord, seconds: float, half: float, **changes: Any) -> Result:
    """Return the result of a call."""
    found = call_from(without_counts(one))
    subject = describe_call(found, "pytorch", "cpu", SETTINGS)
    fields = record.assemble(subject, "forward", Outcome(status="ok"), ENVIRONMENT, record.now())
    summary = {
        "n": 9, "median": seconds, "interval": [seconds - half, seconds + half],
        "precision": half / seconds, "warnings": [],
    }  # fmt: skip
    return from_mapping({**fields, "summary": summary, **changes})


def sums(calls: CallsRecord, results: Sequence[Result]) -> list[Result]:
    """Return what follows from the results of a run."""
    return network_sums(calls, None, SETTINGS, results)


def test_calls_count_as_often_as_a_step_makes_them() -> None:
    """12 of 10 us and 3 of 2 us; the calls' errors are independent within a process."""
    (found,) = sums(network(MM, RELU), [measured(MM, 10e-6, 4e-7), measured(RELU, 2e-6, 0.0)])
    assert found.seconds == pytest.approx(126e-6)
    assert found.interval == pytest.approx((126e-6 - 4.8e-6, 126e-6 + 4.8e-6))
    assert (found.status, found.reason) == ("ok", None)
    assert found.subject
    assert (found.subject.kind, found.subject.name) == ("network", "toy training, sum of operators")
    assert (found.operator.name, found.operator.direction) == ("toy", "forward_backward")
    assert found.attributes["calls"] == "15 of 15"
    assert from_mapping(found.to_mapping()) == found
    assert title("toy", None, "sum") == "toy, sum"


def test_a_sum_says_what_it_is_without() -> None:
    """A call that failed has no time; the sum is of the others, and another series."""
    calls = network(MM, RELU, VIEW)
    failed = measured(RELU, 1e-6, 0.0, status="failed", reason="no", summary=None)
    times = [measured(MM, 1e-5, 1e-7), measured(VIEW, 1e-6, 1e-8)]
    (partly,) = sums(calls, [*times, failed])
    assert partly.reason == "of 17 of 20 calls of a step; without aten.relu.default"
    assert partly.attributes["calls"] == "17 of 20"
    (whole,) = sums(calls, [*times, measured(RELU, 1e-6, 1e-8)])
    assert whole.series_key != partly.series_key
    matched = match([*times, whole], [*times, partly])
    assert len(matched.matches) == 2, "the calls, and not sums of other calls"
    assert (matched.only_a, matched.only_b) == (1, 1)
    assert not sums(calls, [failed])


def test_what_is_not_known_well_makes_a_noisy_sum() -> None:
    """By the weight that it has: of a small share little need be known."""
    (found,) = sums(network(MM, RELU), [measured(MM, 1e-5, 1e-6), measured(RELU, 1e-6, 0.0)])
    assert found.status == "noisy"
    (found,) = sums(network(MM, RELU), [measured(MM, 1e-5, 1e-8), measured(RELU, 1e-7, 2e-8)])
    assert found.status == "ok"


def test_a_later_sum_stands_in_the_place_of_the_earlier_one() -> None:
    """Where something was measured since; otherwise nothing is written."""
    calls, mm = network(MM, RELU), measured(MM, 1e-5, 1e-7)
    (first,) = sums(calls, [mm, measured(RELU, 1e-6, 1e-8)])
    assert first.supersedes is None
    assert not sums(calls, [mm, measured(RELU, 1e-6, 1e-8), first])
    (later,) = sums(calls, [mm, measured(RELU, 2e-6, 1e-8), first])
    assert later.supersedes == first.result_id
    matched = match([mm, first], [mm, later])
    assert {one.a[0].operator.name for one in matched.matches} == {"aten.mm.default", "toy"}


def test_calls_of_two_runs_pair_by_what_they_are_given() -> None:
    """The same operator on another layout, or on other values, is another call."""
    data = TensorRecord(shape=(4, 6), dtype="float32")
    turned = TensorRecord(shape=(4, 6), dtype="float32", strides=(1, 4))
    ones = TensorRecord(shape=(4, 6), dtype="float32", values=ValuesRecord(kind="ones"))
    calls = [
        CallRecord(operator="aten.neg.default", arguments=(ArgumentRecord(value=value),), count=1)
        for value in (data, turned, ones)
    ]
    a = [measured(one, 1e-5, 1e-7) for one in calls]
    b = [measured(one, 2e-5, 1e-7) for one in reversed(calls)]
    found = match(a, b)
    assert len(found.matches) == 3
    assert not found.only_a + found.only_b
    rows = [one.row(0.1) for one in found.matches]
    assert {(row.verdict, row.kind) for row in rows} == {("slower", "call")}
