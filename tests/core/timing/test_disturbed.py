"""Samples that something else disturbed: told by a probe, and left out where others are left."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import pytest

from opperf.core.configuration.settings import Settings
from opperf.core.timing import noise
from opperf.core.timing.measure import measure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Make = Callable[..., Any]

MS = 1_000_000
USUAL, SLOW = 50_000, 100_000
BUDGET = 200 * MS


@contextmanager
def neighbor(fake: Any, is_there: Callable[[int], bool], usual: int = MS) -> Iterator[None]:
    """Make a machine's calls take twice the usual nanoseconds whenever the neighbor is there.

    He is whenever the function says so of the time in nanoseconds; the probe is slow then as well.
    """

    def call() -> None:
        fake.now += 2 * usual if is_there(fake.now) else usual

    fake.call = call
    with patch.object(noise, "probe_time", lambda clock: SLOW if is_there(clock()) else USUAL):
        yield


def test_what_a_neighbor_slowed_is_left_out(machine: Make) -> None:
    """He comes and goes: the median is that of the calls beside which he was not."""
    fake = machine(MS)
    with neighbor(fake, lambda now: now // (20 * MS) % 2 == 0):
        samples = measure(fake.work(), Settings(warmup=0), first_call=0.0)
    assert samples.times() == pytest.approx([1e-3] * len(samples.times()))
    assert samples.stop_reason == "precision"
    assert 0.3 < len(samples.left_out) / len(samples.seconds) < 0.7
    assert max(samples.seconds) == pytest.approx(2e-3)
    assert samples.noise is not None
    assert samples.noise.marked == len(samples.left_out) / len(samples.seconds)


def test_a_neighbor_who_leaves_is_waited_for(machine: Make) -> None:
    """Beyond the budget, until enough samples are his no more."""
    fake = machine(10 * MS)
    with neighbor(fake, lambda now: 0.3 * BUDGET < now < 1.2 * BUDGET, 10 * MS):
        samples = measure(fake.work(), Settings(warmup=0, budget=BUDGET / 1e9), first_call=0.0)
    assert samples.times() == pytest.approx([10e-3] * 6)
    assert samples.stop_reason == "budget"


def test_there_is_an_end_to_waiting(machine: Make) -> None:
    """As long again as the budget: then all samples count, and the result says so."""
    fake = machine(10 * MS)
    with neighbor(fake, lambda now: now > 0.3 * BUDGET, 10 * MS):
        samples = measure(fake.work(), Settings(warmup=0, budget=BUDGET / 1e9), first_call=0.0)
    assert samples.left_out == ()
    assert 2 * BUDGET < fake.now < 2.3 * BUDGET
    assert samples.noise is not None
    assert samples.noise.marked is not None
    assert samples.noise.marked > 0.8


def test_a_neighbor_who_stays_is_put_up_with(machine: Make) -> None:
    """He is not told from an operator that has the processor lower its clock."""
    fake = machine(MS)
    with neighbor(fake, lambda _: True):
        samples = measure(fake.work(), Settings(warmup=0, budget=BUDGET / 1e9), first_call=0.0)
    assert samples.times() == pytest.approx([2e-3] * len(samples.times()))
    assert samples.stop_reason == "precision"
    assert samples.noise is not None
    assert samples.noise.marked == 0


def test_as_many_as_the_user_asks_for_are_kept(machine: Make) -> None:
    """A number of samples is a number of samples."""
    fake = machine(MS)
    with neighbor(fake, lambda now: now // (5 * MS) % 2 == 0):
        samples = measure(fake.work(), Settings(warmup=0, runs=30), first_call=0.0)
    assert len(samples.times()) == 30
    assert samples.left_out == ()
