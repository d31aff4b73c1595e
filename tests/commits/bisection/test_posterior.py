"""What is held after sessions."""

from __future__ import annotations

import numpy as np
import pytest

from opperf.commits.bisection.posterior import posterior_of
from opperf.commits.bisection.step import step_of

ENDS = [0.052, 0.047, 0.061, 0.043, 0.055, 0.049, 0.036, 0.058]


def test_before_any_probe_every_commit_is_as_likely() -> None:
    """The ends say that there is a step, and not where."""
    found = posterior_of(10, {(0, 10): ENDS})
    assert found.none < 1e-3
    assert found.up_to([0, 5, 10]) == pytest.approx([0, 0.5, 1])
    assert sum(found.masses) + found.none + found.several == pytest.approx(1)


def test_a_slow_probe_has_the_step_before_it() -> None:
    """One that is as fast as GOOD has it after it."""
    slow = posterior_of(10, {(0, 10): ENDS, (0, 4): [0.05, 0.049]})
    fast = posterior_of(10, {(0, 10): ENDS, (0, 4): [0.001, -0.004]})
    assert slow.within(0, 4) > 0.99
    assert fast.within(4, 10) > 0.99


def test_a_contrast_of_neighbors_tells_one_commit() -> None:
    """A commit against the one before it has the step, or has not."""
    found = posterior_of(10, {(0, 10): ENDS, (3, 4): [0.05, 0.06, 0.046]})
    assert found.within(3, 4) > 0.95
    assert posterior_of(10, {(0, 10): ENDS, (3, 4): [0.0, 0.003, -0.01]}).within(3, 4) < 0.01


def test_an_improvement_is_the_same_mirrored() -> None:
    """Signs turn, nothing else."""
    contrasts = {(0, 10): ENDS, (0, 4): [0.02, 0.03]}
    mirrored = {span: [-value for value in values] for span, values in contrasts.items()}
    one, other = posterior_of(10, contrasts), posterior_of(10, mirrored)
    assert np.allclose(one.masses, other.masses)


def test_levels_between_speak_of_several_steps() -> None:
    """Halfway up, again and again, is no single step."""
    halfway = {(0, at): [0.025, 0.024, 0.026, 0.025, 0.024, 0.027] for at in (3, 5, 7)}
    assert posterior_of(10, {(0, 10): ENDS, **halfway}).several > 0.9


def test_sessions_that_are_all_the_same_are_no_error() -> None:
    """Simulated ones, or a metric of counts: the noise has a floor."""
    found = posterior_of(4, {(0, 4): [0.05] * 8, (0, 2): [0.05]})
    assert found.within(0, 2) > 0.99


def test_the_interval_of_many_sessions_goes_on_narrowing() -> None:
    """Beyond the looks of a comparison, too; below the first there is none."""
    random = np.random.default_rng(1)
    values = random.normal(0.05, 0.014, 96).tolist()
    widths = []
    for count in (24, 48, 96):
        found = step_of(values[:count]).interval
        assert found
        widths.append(found[1] - found[0])
    assert widths == sorted(widths, reverse=True)
    assert step_of(values[:7]).interval is None
    assert step_of([]).ratio is None
