"""What is said at the end of a run of the times that are unreliable."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from opperf.reporting.reliability import cause, unreliable_lines
from tests.records import changed

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.results.result import Result

    MakeResult = Callable[..., Result]

AGAIN = "opperf resume last --unreliable"
QUIET = {"marked": 0.0, "steal": 0.0, "pressure": 0.0}


def noisy(make_result: MakeResult, *codes: str, **noise: float | None) -> Result:
    """Return an unreliable result with these warnings, and what disturbed it."""
    notes = [{"code": code, "message": code} for code in codes]
    summary: dict[str, Any] = {"median": 1.0, "interval": None, "precision": None}
    changes = {"summary": {**summary, "n": 6, "warnings": notes}, "noise": {**QUIET, **noise}}
    return make_result(status="noisy", **changes)


def test_nothing_is_said_where_all_is_well(make_result: MakeResult) -> None:
    """Nor of what has no time."""
    assert [*unreliable_lines([make_result(), make_result(status="failed")], "again")] == []


def test_how_many_why_and_what_to_do(make_result: MakeResult) -> None:
    """The commonest cause first."""
    results = [
        make_result(),
        noisy(make_result, "noisy", steal=0.1),
        noisy(make_result, "noisy", marked=0.5),
        noisy(make_result, "noisy", marked=0.6),
        make_result(status="crashed"),
    ]
    assert [*unreliable_lines(results, AGAIN)] == [
        "3 of 4 times are not to be relied on",
        "why: something else used the processor (2); the host took the processor (steal) (1)",
        f"`opperf doctor` tells what disturbs this machine; measure just these again: {AGAIN}",
    ]


def test_what_was_measured_twice_is_said_whichever_stands(make_result: MakeResult) -> None:
    """The first one, if it is the surer."""
    first = noisy(make_result, "noisy")
    second = noisy(make_result, "noisy", "disturbed")
    for one, other in ((first, second), (second, first)):
        results = [make_result(), one, changed(other, supersedes=one.result_id)]
        counts, *_ = unreliable_lines(results, AGAIN)
        assert counts == "1 of 2 times are not to be relied on, 1 of them measured twice"


@pytest.mark.parametrize(
    ("codes", "noise", "word"),
    [
        (("noisy",), {"steal": 0.03, "marked": 0.9}, "steal"),
        (("noisy", "disturbed"), {}, "something else"),
        (("noisy",), {"pressure": 0.6}, "load"),
        (("noisy", "bimodal", "drift"), {"steal": None, "marked": None}, "moved"),
        (("noisy", "bimodal"), {"pressure": None}, "two groups"),
        (("noisy",), {}, "no cause"),
    ],
)
def test_the_likeliest_cause_is_named(
    make_result: MakeResult, codes: tuple[str, ...], noise: dict[str, float | None], word: str
) -> None:
    """What took the processor goes before what the samples look like."""
    assert word in cause(noisy(make_result, *codes, **noise))
