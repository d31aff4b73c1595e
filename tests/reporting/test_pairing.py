"""Frameworks side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from opperf.reporting.pairing import (
    APART,
    IN_NOISE,
    NOT_COMPARABLE,
    UNRELIABLE,
    Ratio,
    frameworks,
    geometric_mean,
    overlap,
    pair,
    ratio,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.results.result import Result

    Make = Callable[..., Result]


def test_the_same_job_of_two_frameworks_is_one_row(make: Make) -> None:
    """The last framework stands over the first, in order of appearance."""
    rows = pair([make(seconds=2.0), make(framework="pytorch", seconds=1.0)])
    assert len(rows) == 1
    assert [*rows[0].results] == ["mxnet", "pytorch"]
    assert rows[0].ratio == Ratio(0.5, APART)


@pytest.mark.parametrize(
    "change",
    [
        {"name": "Add"},
        {"fused": True},
        {"device": "cuda:0"},
        {"shapes": ((3, 3),)},
        {"attributes": {"k": 1}},
        {"seed": 1},
        {"session": 1},
        {"run_id": "another"},
    ],
)
def test_another_job_is_another_row(make: Make, change: dict[str, Any]) -> None:
    """Whatever differs in what was asked for, there is nothing to compare."""
    rows = pair([make(), make(framework="pytorch", **change)])
    assert [row.ratio for row in rows] == [None, None]
    assert [row.leads for row in rows] == [True, True]


def test_directions_of_a_job_stay_together_in_their_order(make: Make) -> None:
    """Even where one framework skipped some, or a direction is new to this reader."""
    directions = ["odd", "backward", "forward_backward", "forward", "forward_recorded"]
    results = [make(direction=direction) for direction in directions]
    rows = pair([*results[:2], make(name="Add"), *results[2:]])
    assert [row.direction for row in rows] == [
        "forward", "forward_recorded", "backward", "forward_backward", "odd", "forward",
    ]  # fmt: skip
    assert [row.leads for row in rows] == [True, False, False, False, False, True]


def test_of_two_results_for_the_same_row_the_later_stands(make: Make) -> None:
    """A resumed run repeats what was interrupted."""
    (row,) = pair([make(status="interrupted"), make(seconds=3.0)])
    assert row.subject.seconds == 3.0


@pytest.mark.parametrize(
    ("first", "last", "judgement"),
    [
        ((1.0, 0.001), (1.1, 0.001), APART),
        ((1.0, 0.06), (1.1, 0.06), IN_NOISE),
        ((1.0, 0.001), (1.019, 0.001), IN_NOISE),
        ((1.0, 0.001), (0.981, 0.001), IN_NOISE),
        ((1.0, None), (5.0, 0.001), UNRELIABLE),
        ((1.0, 0.001), (5.0, None), UNRELIABLE),
    ],
)
def test_overlapping_intervals_and_two_percent_are_noise(
    make: Make, first: Any, last: Any, judgement: str
) -> None:
    """Of a missing interval nothing is known, which is no noise but no figure."""
    one, other = (make(seconds=time, precision=known) for time, known in (first, last))
    found = ratio(one, other)
    assert found is not None
    assert found.judgement == judgement
    assert overlap(one, other) == overlap(other, one)


@pytest.mark.parametrize("first", [True, False])
def test_a_noisy_time_makes_no_ratio(make: Make, *, first: bool) -> None:
    """However far the two are apart, and whichever of them it is."""
    pair_of = make(seconds=1.0, status="noisy", precision=0.06), make(seconds=9.0)
    found = ratio(*(pair_of if first else reversed(pair_of)))
    assert found is not None
    assert found.judgement == UNRELIABLE
    assert not found.is_reliable


def test_a_mean_is_of_reliable_ratios_and_counts_the_others() -> None:
    """Nothing is a mean of nothing."""
    found = [Ratio(value, APART) for value in (0.5, 0.5)]
    found += [Ratio(100.0, UNRELIABLE), Ratio(100.0, NOT_COMPARABLE), Ratio(0.5, IN_NOISE)]
    mean = geometric_mean(found)
    assert mean.value == pytest.approx(0.5)
    assert mean.text == "over 3 reliable pairs; 2 left out"
    assert geometric_mean(found[2:4]).value is None
    assert geometric_mean([]).text == "over 0 reliable pairs"
    assert geometric_mean(found[:1]).text == "over 1 reliable pair"


def test_what_is_no_time_has_no_ratio(make: Make) -> None:
    """One that is no longer than the loop's own cost, however narrow its interval is."""
    assert ratio(make(status="no_time", seconds=-1e-9), make(seconds=1e-6)) is None


def test_two_definitions_are_not_compared(make: Make) -> None:
    """The numbers mean different things."""
    found = ratio(make(definition_key="old"), make(seconds=1.0, definition_key="new"))
    assert found is not None
    assert found.judgement == NOT_COMPARABLE


@pytest.mark.parametrize("seconds", [0.0, -1e-9])
def test_a_time_that_is_not_positive_has_no_ratio(make: Make, seconds: float) -> None:
    """Net of the empty loop it may come out so."""
    odd = make(summary={"median": seconds, "interval": None})
    assert ratio(odd, make()) is None
    assert ratio(make(), odd) is None


def test_one_framework_has_no_ratio_and_three_compare_last_with_first(make: Make) -> None:
    """What lies between is shown, not compared."""
    names = ("mxnet", "pytorch", "numpy")
    results = [make(framework=name, seconds=n + 1.0) for n, name in enumerate(names)]
    assert pair(results[:1])[0].ratio is None
    assert frameworks(results) == [*names]
    assert pair(results)[0].ratio == Ratio(3.0, APART)
    assert pair([results[1], *results[::2]])[0].ratio == Ratio(1.5, APART)


def test_nothing_pairs_to_nothing() -> None:
    """No results, no rows."""
    assert pair([]) == []
