"""How a GPU is timed, on a fake one whose clock is known: no test here needs or takes real time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from opperf.pytorch_benchmarks.cuda.blocker import LONGEST_BLOCK, Lead, run_batch, sleep_rate
from opperf.pytorch_benchmarks.cuda.device import INTERVAL, MOST_CALLS
from opperf.pytorch_benchmarks.cuda.tuning import (
    PROBES,
    find_pace,
    probe,
    room_for,
    waits_by_itself,
)

if TYPE_CHECKING:
    from opperf.core.frameworks.workload import Work
    from opperf.pytorch_benchmarks.cuda import Gpu

US, MS = 1000, 1_000_000


def waits(gpu: Gpu, work: Work) -> bool:
    """Return whether a work is found to wait for the GPU by itself."""
    timer = gpu.timer(0.0)
    return waits_by_itself(work, timer, probe(work, timer, PROBES[0]))


@pytest.mark.parametrize("rate", [0.2e9, 1e9, 1.98e9])
def test_the_rate_of_a_sleep_is_measured(cuda: Any, rate: float) -> None:
    """It is that of the GPU's clock, which differs between models and with their state."""
    cuda.rate = rate
    assert sleep_rate(cuda, cuda.clock) == pytest.approx(rate, rel=1e-3)


def test_behind_a_blocker_the_host_does_not_count(cuda: Any) -> None:
    """Kernels of 2 us, submitted at 10 us each, take 2 us: the GPU never waits for the host."""
    batch = run_batch(cuda, [cuda.kernel(2 * US, 10 * US)] * 100, 3_000_000, cuda.clock)
    assert batch.covered
    assert batch.seconds == pytest.approx(200e-6)
    assert batch.submitted == pytest.approx(1000e-6)


def test_a_batch_that_began_too_early_is_known(cuda: Any) -> None:
    """Behind a blocker of 0.1 ms the same batch waits for the host, and says so."""
    batch = run_batch(cuda, [cuda.kernel(2 * US, 10 * US)] * 100, 150_000, cuda.clock)
    assert not batch.covered
    assert batch.seconds > 800e-6


def test_the_blocker_grows_until_it_covers_the_batch(cuda: Any, gpu: Gpu) -> None:
    """Once the lead was too short the next one is longer, and late batches are counted."""
    timer = gpu.timer(1e-6)
    calls = [cuda.kernel(2 * US, 40 * US)] * 100
    found = [timer.batch(calls) for _ in range(4)]
    assert [batch.covered for batch in found] == [False, True, True, True]
    assert timer.lead.late_share == 0.25


def test_a_blocker_never_lasts_longer_than_its_cap() -> None:
    """However slowly the host submits."""
    assert Lead(1.0).seconds(500) == LONGEST_BLOCK
    assert Lead(0.0).late_share == 0.0


def test_the_queue_of_launches_never_fills(cuda: Any, gpu: Gpu) -> None:
    """More calls than fit behind one blocker are put behind several, and all are counted."""
    seconds = gpu.timer(5e-6).time([cuda.kernel(2 * US)] * 1500)
    assert seconds == pytest.approx(3000e-6)
    assert MOST_CALLS < cuda.longest_queue <= MOST_CALLS + 2


def test_no_calls_take_no_time(gpu: Gpu) -> None:
    """An empty batch is none."""
    assert gpu.timer(0.0).time([]) == 0.0


@pytest.mark.parametrize(
    ("submit", "seconds", "limit", "room"),
    [
        (5e-6, 1e-6, 10**6, MOST_CALLS),
        (5e-6, 1e-6, 37, 37),
        (5e-6, 100e-6, 10**6, 20),
        (5e-6, 1.0, 10**6, 1),
        (1e-3, 1e-6, 10**6, 25),
        (1.0, 1e-6, 10**6, 1),
    ],
)
def test_the_room_behind_a_blocker(submit: float, seconds: float, limit: int, room: int) -> None:
    """The queue, what can be prepared, two samples and the longest blocker each bound it."""
    assert room_for(submit, seconds, limit) == room
    assert INTERVAL == 1e-3


def test_calls_of_many_launches_get_less_room(cuda: Any, gpu: Gpu) -> None:
    """250 calls of eight launches would fill the queue: half of them do not."""
    work = cuda.work(cuda.kernel(1 * US, 1 * US, launches=8))
    pace = find_pace(work, gpu.timer(0.0), 8e-6)
    assert pace.room == 125
    assert (pace.submit, pace.device) == (pytest.approx(8e-6), pytest.approx(8e-6))


def test_an_operator_that_waits_is_found_out(cuda: Any, gpu: Gpu) -> None:
    """It lasts as long as any blocker before it, so no tag has to tell."""
    assert waits(gpu, cuda.work(cuda.waiting(2 * US)))


@pytest.mark.parametrize("submit", [5 * US, 8 * MS, 20 * MS, 60 * MS])
def test_a_slow_operator_is_not_taken_for_one_that_waits(
    cuda: Any, gpu: Gpu, submit: float
) -> None:
    """Whether submitting outlasts none, one or both of the blockers."""
    assert not waits(gpu, cuda.work(cuda.kernel(2 * US, submit)))
