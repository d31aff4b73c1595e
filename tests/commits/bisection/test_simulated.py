"""How often a bisection is right where the true change is known; fixed seeds, no clock."""

from __future__ import annotations

from statistics import mean
from typing import Any

from opperf.commits.bisection.answer import NAMED, RANGE, SAME
from opperf.commits.bisection.search import Quest

RUNS = 25


def runs_of(simulation: Any, count: int = RUNS, **facts: Any) -> list[Any]:
    """Return so many runs of a case."""
    case = simulation.Case(title="", **facts)
    return [simulation.simulate(case, seed) for seed in range(count)]


def test_five_percent_among_64_commits_is_found_in_few_sessions(simulation: Any) -> None:
    """Right, and with far fewer sessions than 12 for each probe and for the ends."""
    made = runs_of(simulation)
    assert sum(run.is_right for run in made) >= RUNS - 1
    assert mean(run.search.sessions for run in made) <= 0.6 * 12 * (6 + 1)


def test_outliers_and_heavy_tails_are_survived(simulation: Any) -> None:
    """One session in ten ten times as far off, or Student's t of 3 degrees of freedom."""
    for noise in ("outliers", "tails"):
        made = runs_of(simulation, 15, noise=noise)
        assert sum(run.is_right for run in made) >= 14, noise


def test_no_commit_is_blamed_where_nothing_changed(simulation: Any) -> None:
    """Under either noise and in either direction."""
    for noise in ("normal", "tails", "outliers"):
        made = runs_of(simulation, 60, changes=(), noise=noise, quest=Quest(direction="any"))
        assert {run.kind for run in made} & {NAMED, RANGE} == set(), noise


def test_an_improvement_is_found_where_one_is_sought(simulation: Any) -> None:
    """And where a slow-down is sought, it is none."""
    faster = {"changes": ((0, -0.05),)}
    made = runs_of(simulation, 10, **faster, quest=Quest(direction="faster"))
    assert all(run.is_right for run in made)
    assert {run.kind for run in runs_of(simulation, 10, **faster)} == {SAME}


def test_of_several_steps_one_is_named(simulation: Any) -> None:
    """The one that is named is one of them, for it was compared with the commit before it."""
    for changes in (
        ((20, 0.03), (45, 0.02)),
        ((20, 0.05), (30, 1 / 1.05 - 1), (45, 0.05)),
    ):
        made = runs_of(simulation, 10, changes=changes)
        assert all(run.is_right for run in made if run.named), changes
        assert sum(run.is_right for run in made) >= 9


def test_what_came_and_went_is_no_change(simulation: Any) -> None:
    """GOOD and BAD are the same."""
    changes = ((20, 0.05), (40, 1 / 1.05 - 1))
    assert {run.kind for run in runs_of(simulation, 10, changes=changes)} == {SAME}


def test_a_slope_blames_no_commit(simulation: Any) -> None:
    """No commit differs from the one before it by anything that could be shown."""
    assert {run.kind for run in runs_of(simulation, 4, changes=(), slope=0.05)} == {RANGE}


def test_a_thousand_commits_are_searched(simulation: Any) -> None:
    """A step of 2 % among them is found, or nothing is said."""
    quest = Quest(min_effect=0.01)
    made = runs_of(simulation, 6, commits=1000, changes=((0, 0.02),), quest=quest)
    assert sum(run.is_right for run in made) >= 5


def test_the_stated_probability_is_true(simulation: Any) -> None:
    """Of the moments at which a commit is 80 to 95 % probable about so many have the right one."""
    case = simulation.Case(title="", changes=((0, 0.03),), quest=Quest(min_effect=0.01))
    made = [simulation.simulate(case, seed, noting=True) for seed in range(60)]
    moments = [one for run in made for one in run.moments]
    inside = [right for stated, right in moments if 0.8 <= stated < 0.95]
    assert len(inside) >= 20
    assert 0.72 <= mean(inside) <= 0.99
