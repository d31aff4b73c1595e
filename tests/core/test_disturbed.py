"""Samples that something else disturbed: told by a canary, and left out where others are left."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import pytest

from opperf.core import noise
from opperf.core.measure import measure
from opperf.core.noise import SHORTEST, hearing
from opperf.core.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Make = Callable[..., Any]

MS = 1_000_000
USUAL, SLOW = 50_000, 100_000
BUDGET = 200 * MS


@contextmanager
def neighbor(fake: Any, is_there: Callable[[int], bool]) -> Iterator[None]:
    """Make a machine's calls of 1 ms take twice that whenever the neighbor is there.

    He is whenever the function says so of the time in nanoseconds; the canary is slow then as well.
    """

    def call() -> None:
        fake.now += 2 * MS if is_there(fake.now) else MS

    fake.call = call
    hearing(fake.clock).shortest[:] = [USUAL] * SHORTEST
    with patch.object(noise, "chirp", lambda clock: SLOW if is_there(clock()) else USUAL):
        yield


def test_what_a_neighbor_slowed_is_left_out(machine: Make) -> None:
    """He comes and goes: the median is that of the calls beside which he was not."""
    fake = machine(MS)
    with neighbor(fake, lambda now: now // (20 * MS) % 2 == 0):
        samples = measure(fake.work(), Settings(warmup=0), first_call=0.0)
    assert samples.times() == pytest.approx([1e-3] * len(samples.times()))
    assert 0.3 < len(samples.left_out) / len(samples.seconds) < 0.7
    assert max(samples.seconds) == pytest.approx(2e-3)
    assert samples.noise is not None
    assert samples.noise.marked == len(samples.left_out) / len(samples.seconds)


def test_a_neighbor_who_leaves_is_waited_for(machine: Make) -> None:
    """Beyond the budget, until enough samples are his no more."""
    fake = machine(MS)
    with neighbor(fake, lambda now: now < BUDGET):
        samples = measure(fake.work(), Settings(warmup=0, budget=BUDGET / 1e9), first_call=0.0)
    assert samples.times() == pytest.approx([1e-3] * len(samples.times()))
    assert samples.stop_reason == "budget"


def test_a_neighbor_who_stays_is_put_up_with(machine: Make) -> None:
    """Nobody waits for one who left no sample alone: all count, and the result says so."""
    fake = machine(MS)
    with neighbor(fake, lambda _: True):
        samples = measure(fake.work(), Settings(warmup=0, budget=BUDGET / 1e9), first_call=0.0)
    assert samples.times() == pytest.approx([2e-3] * len(samples.times()))
    assert samples.left_out == ()
    assert fake.now == pytest.approx(BUDGET, rel=0.05)
    assert samples.noise is not None
    assert samples.noise.marked == 1


def test_there_is_an_end_to_waiting(machine: Make) -> None:
    """As long again as the budget for one who was gone for a moment."""
    fake = machine(MS)
    with neighbor(fake, lambda now: not 0.5 * BUDGET <= now < 0.51 * BUDGET):
        samples = measure(fake.work(), Settings(warmup=0, budget=BUDGET / 1e9), first_call=0.0)
    assert samples.left_out == ()
    assert fake.now == pytest.approx(2 * BUDGET, rel=0.05)


def test_as_many_as_the_user_asks_for_are_kept(machine: Make) -> None:
    """A number of samples is a number of samples."""
    fake = machine(MS)
    with neighbor(fake, lambda now: now // (5 * MS) % 2 == 0):
        samples = measure(fake.work(), Settings(warmup=0, runs=30), first_call=0.0)
    assert len(samples.times()) == 30
    assert samples.left_out == ()
