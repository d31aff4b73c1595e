"""What a prompt shows of results: one line each, and what makes a time unreliable."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from opperf import measure
from opperf.core.results.collection import Results
from opperf.core.results.line import unreliability
from opperf.nd import Conv2D

if TYPE_CHECKING:
    from tests.conftest import MakeResult

WIDE = {"code": "noisy", "message": "the median is known to 34.0% only; quiet the machine"}
DRIFTED = {"code": "drift", "message": "the times moved by +9.0% while they were sampled"}
LONGEST_LINE = 400


@pytest.fixture(scope="module")
def measured() -> Results:
    """Return all directions of an operator of three inputs and two attributes."""
    inputs = {"data": (1, 3, 8, 8), "weight": (2, 3, 3, 3), "bias": (2,)}
    return Conv2D(inputs, framework="numpy", runs=6, warmup=0).run_benchmark()


def test_a_run_shows_a_line_a_result(measured: Results) -> None:
    """No 30,000 characters of samples and environment, whatever became of a row."""
    lines = repr(measured).splitlines()
    assert len(lines) == len(measured) == len(Conv2D().directions())
    given = "data=(1,3,8,8) weight=(2,3,3,3) bias=(2) stride=1 padding=1 float32"
    assert lines[0].startswith(f"Conv2D forward on numpy, cpu, {given}: ")
    assert " unsupported: " in lines[1]
    assert max(map(len, lines)) <= LONGEST_LINE


def test_a_result_shows_one_line_too(measured: Results) -> None:
    """In a list of one's own, or by itself."""
    assert repr(measured[0]) == repr(measured).splitlines()[0]
    assert repr([measured[0]]) == f"[{measured[0]!r}]"


def test_no_results_are_told() -> None:
    """An empty line would look like an error."""
    assert repr(Results()) == "no results"


def test_a_callable_s_result_shows_one_line() -> None:
    """What has no operator of opperf's shows its name."""
    (line,) = repr(measure(sorted, [3, 1, 2], budget=0.01)).splitlines()
    assert line.startswith("sorted ")
    assert len(line) <= LONGEST_LINE


def with_warnings(make_result: MakeResult, status: str, *warnings: dict[str, str]) -> Any:
    """Return a result with an interval and these warnings."""
    summary = {**make_result().summary.to_mapping(), "interval": [1e-6, 2e-6]}
    return make_result(status=status, summary={**summary, "warnings": [*warnings]})


def test_an_unreliable_time_says_why(make_result: MakeResult) -> None:
    """By the warnings that made it so; others are not about its reliability."""
    noisy = with_warnings(make_result, "noisy", DRIFTED, WIDE)
    assert unreliability(noisy) == WIDE["message"]
    assert f"(unreliable: {WIDE['message']})" in repr(noisy)
    assert "unreliable" not in repr(with_warnings(make_result, "ok", DRIFTED))


def test_a_time_has_no_more_digits_than_it_is_known_to(make_result: MakeResult) -> None:
    """Nor fewer: 168 us known to 14 % are not 200 us."""
    summary = {**make_result().summary.to_mapping(), "median": 1.684e-4, "precision": 0.14}
    assert ": 170 us +-14%" in repr(make_result(summary=summary))
    assert ": 168.4 us +-0.1%" in repr(make_result(summary={**summary, "precision": 0.001}))


def test_an_unreliable_time_without_a_warning_says_its_status(make_result: MakeResult) -> None:
    """Records of others may lack the reason; without an interval, that is one."""
    assert unreliability(with_warnings(make_result, "noisy")) == "the status is noisy"
    assert unreliability(make_result()) == "no 95 % interval"


def test_a_long_reason_is_cut_to_one_line(make_result: MakeResult) -> None:
    """A framework's error may have hundreds of lines; the record keeps them."""
    failed = make_result(status="failed", reason="broken\n  at a.cc:1\n" * 50, summary=None)
    (line,) = repr(failed).splitlines()
    assert ": failed: broken at a.cc:1 broken" in line
    assert line.endswith("...")
