"""The sum of a network's calls against its step: each cause by a figure, or why it has none."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from opperf.__main__ import main
from opperf.calls.format.file import parse_calls
from opperf.calls.ranking.cold import CARRIED, MOST, cold_tasks, dearest
from opperf.calls.ranking.difference import difference
from opperf.calls.ranking.ranking import RankedCall, Ranking, shared
from opperf.calls.ranking.whole import whole_step
from opperf.core.timing.page_faults import MAPPED, count_faults, seconds_per_fault
from opperf.planning.selection import Selection
from opperf.reporting.difference import network_lines
from tests.calls import documents
from tests.calls.documents import MM

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from opperf.calls.format.model import CallsRecord
    from opperf.core.results.result import Result
    from tests.conftest import MakeResult

RELU = {"operator": "aten.relu.default", "arguments": [MM["arguments"][0]], "count": 2}
NEG = {**RELU, "operator": "aten.neg.default", "count": 5}
MEASURED: Mapping[str, Any] = {
    "seconds": 2.0, "interval": [1.9, 2.1], "threads": 1, "machine_key": "here",
    "measured_at": "2026-11-21T02:00:00+00:00", "profiled_seconds": 2.15, "page_faults": 1000,
    "seconds_per_fault": 1e-4,
    "profiler": {"aten.mm": 1.3, "aten.relu": 0.25, "aten.neg": 0.2, "aten.linear": 0.1},
}  # fmt: skip
SECONDS = {"aten.mm.default": 0.1, "aten.relu.default": 0.1}


def record(**measured: Any) -> CallsRecord:
    """Return a network whose step was timed; None leaves a field out."""
    stated = {name: value for name, value in {**MEASURED, **measured}.items() if value is not None}
    return parse_calls(documents.data(MM, RELU, NEG, measured=stated))


def result(make: MakeResult, seconds: float, **changes: Any) -> Result:
    """Return a result of a call."""
    return make(
        samples={"seconds": [seconds] * 4, "iterations": 5, "first_call": 1.0, "null": 0.0},
        summary={"n": 4, "median": seconds, "interval": [seconds * 0.99, seconds * 1.01],
                 "precision": 0.01, "warnings": []},
        noise={"page_faults": 20},
        environment={"machine_key": "here"},
        operator={"name": "aten", "category": "aten", "framework": "pytorch", "device": "cpu",
                  "direction": "forward", "fused": None, "size": None, "threads": 1},
        **changes,
    )  # fmt: skip


def ranking_of(record: CallsRecord, make: MakeResult, *, cold: float | None = None) -> Ranking:
    """Return the calls' times: 12 of 0.1 s, 2 of 0.1 s, and no time of the third one."""
    calls = [
        RankedCall(
            call=call,
            result=result(make, SECONDS[call.operator])
            if call.operator in SECONDS
            else make(status="unsupported", reason="no", samples=None, summary=None),
            cold=result(make, cold) if cold and call.operator == "aten.mm.default" else None,
        )
        for call in record.calls
    ]
    timed = [*shared([one for one in calls if one.seconds is not None])]
    return Ranking(place=("pytorch", "cpu", 1, "hot"), calls=[*timed, calls[-1]])


def lines(record: CallsRecord, ranking: Ranking) -> list[str]:
    """Return what is said, six lines at most."""
    said = [*network_lines(record, ranking)]
    assert len(said) <= 6
    return said


def test_each_cause_has_its_figure(make_result: MakeResult) -> None:
    """They add up: between, in operators and calls without a time are the profiled step."""
    found = record()
    ranking = ranking_of(found, make_result, cold=0.11)
    split = difference(found, ranking)
    assert split is not None
    assert split.total == pytest.approx(1.4)
    assert split.between == pytest.approx(2.15 - 1.75)
    assert split.inside == pytest.approx(1.3 - 1.2 + 0.25 - 0.2)
    assert split.untimed == pytest.approx(0.2)
    assert split.total + split.between + split.inside + split.untimed == pytest.approx(2.15)
    assert split.cold
    assert split.cold.more == pytest.approx(12 * 0.01)
    assert split.cold.carried == pytest.approx(12 / 14)
    assert split.faults
    assert split.faults.alone == pytest.approx(12 + 2)
    assert split.faults.seconds == pytest.approx((1000 - 14) * 1e-4)
    whole, between, inside, cold, allocation, accounted = lines(found, ranking)
    assert whole == (
        "the whole network takes 2.00 s (1.90 s to 2.10 s): the sum is 70.0% of it, 600 ms less"
    )
    assert between.startswith("- between operators: 400 ms, 21.1 ms a call")
    assert (
        "150 ms more by the profiler than alone, most aten.mm 1.30 s, alone 1.20 s; aten" in inside
    )
    assert "at most 120 ms more, by 1 call with 86% of the sum" in cold
    assert "98.6 ms, 1,000 page faults a step, at most 14 in the calls alone, 100 us" in allocation
    assert "at most 819 ms of the 600 ms, calls without a time 200 ms" in accounted


def test_what_was_not_measured_is_unknown(make_result: MakeResult) -> None:
    """And says why; a file of anybody's may state anything."""
    bare = record(profiler=None, page_faults=None, profiled_seconds=None)
    said = lines(bare, ranking_of(bare, make_result))
    assert [line.partition("unknown, ")[2] for line in said[1:5]] == [
        "the file has no times of the framework's profiler",
        "the profiler has none of them, or they lack times",
        "no call was measured cold",
        "the file has no page faults of the network",
    ]
    assert said[5] == "- of 600 ms nothing is explained"
    for wrong in (
        {"seconds": "2"}, {"seconds": True}, {"seconds": -1}, {"seconds": 0}, {"seconds": [2]},
    ):  # fmt: skip
        assert whole_step(record(**wrong)) is None
    strange = whole_step(
        record(
            interval=[1],
            threads="1",
            machine_key=3,
            measured_at="now",
            profiler=[1],
            page_faults=True,
            seconds_per_fault=-1,
            profiled_seconds={},
        )
    )
    assert strange
    assert (strange.seconds, strange.interval, strange.threads) == (2.0, None, None)
    assert (strange.machine, strange.measured_at, strange.profiler) == (None, None, {})
    assert (strange.page_faults, strange.profiled) == (None, None)


def test_a_sum_above_the_whole_says_so(make_result: MakeResult) -> None:
    """And what lies within both intervals is no difference that is known."""
    smaller = record(seconds=1.3, interval=[1.29, 1.31])
    said = lines(smaller, ranking_of(smaller, make_result))
    assert said[0].endswith("the sum is 107.7% of it, 100 ms more")
    assert said[-1].startswith("- the calls come from Python one by one")
    close = record(seconds=1.41, interval=[1.3, 1.5])
    assert lines(close, ranking_of(close, make_result))[0].endswith("less, within their intervals")


@pytest.mark.parametrize(
    ("measured", "doubt"),
    [
        ({"machine_key": "elsewhere"}, ", measured on another machine:"),
        ({"threads": 2}, ", measured with 2 threads:"),
        ({"threads": 3, "machine_key": ""}, ", measured on another machine and with 3 threads:"),
        ({"measured_at": "2026-11-01T02:00:00"}, ", measured 20 days apart from its calls:"),
    ],
)
def test_a_step_that_is_not_comparable_is_named(
    make_result: MakeResult, measured: Mapping[str, Any], doubt: str
) -> None:
    """Whichever way it differs from the measurement of the calls."""
    found = record(**measured)
    assert doubt in lines(found, ranking_of(found, make_result))[0]


def test_the_dearest_calls_are_measured_cold(make_result: MakeResult) -> None:
    """As many as carry most of the sum, where there is a whole to explain."""
    found = record()
    ranking = ranking_of(found, make_result)
    assert [one.call.operator for one in dearest(ranking)] == ["aten.mm.default"]
    assert CARRIED <= ranking.timed[0].cumulative <= 1
    many = Ranking(place=ranking.place, calls=[*ranking.timed[1:] * (MOST + 3)])
    assert len([*dearest(many)]) <= MOST
    selection = Selection(frameworks=("pytorch",), check_only=True)
    assert cold_tasks(found, selection, []) == ()


def test_a_fault_costs_something_where_it_is_counted() -> None:
    """Memory that is written to for the first time faults."""
    faults = count_faults(lambda: bytearray(MAPPED))
    assert (seconds_per_fault() is None) == (faults is None)


def test_a_run_measures_them_beside_the_calls(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Resume measures what is missing of them, and no more."""
    pytest.importorskip("torch")
    file = tmp_path / "toy.calls.json"
    file.write_bytes(documents.data(MM, RELU, measured=MEASURED))
    place = ["--runs-dir", str(tmp_path / "runs")]
    flags = ["--calls", str(file), "--runs", "6", "--retry", "no", "--format", "json"]
    assert main(["run", *flags, *place, "--quiet"]) == 0
    shown = capsys.readouterr()
    rows = json.loads(shown.out)
    assert rows[0]["cold_seconds"] > 0
    assert "- caches: at most" in shown.err
    (journal,) = (tmp_path / "runs").glob("*/results.jsonl")
    kept = journal.read_text().splitlines()
    calls = [line for line in kept if json.loads(line)["subject"]["kind"] == "call"]
    cold = [line for line in kept if json.loads(line)["operator"]["cache"] == "cold"]
    assert 1 <= len(cold) <= 2
    assert all(json.loads(line)["operator"]["companion"] for line in cold)
    assert len(calls) == 2 + 1 + len(cold)
    journal.write_text("".join(f"{line}\n" for line in kept if line != cold[0]))
    assert main(["resume", "last", *place, "--quiet"]) == 0
    assert len(journal.read_text().splitlines()) == len(kept)
    assert main(["resume", "last", *place, "--quiet"]) == 0
    assert len(journal.read_text().splitlines()) == len(kept)
