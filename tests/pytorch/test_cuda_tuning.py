"""Which way of timing each kind of operator gets on a GPU, and what is then said of it."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.configuration.settings import Settings
from opperf.core.statistics.summary import summarize
from opperf.core.timing.measure import measure
from opperf.pytorch_benchmarks.cuda.device import DeviceWork

if TYPE_CHECKING:
    from collections.abc import Iterator

    from opperf.core.frameworks.workload import Work
    from opperf.pytorch_benchmarks.cuda import Gpu

US, MS = 1000, 1_000_000


def seconds_of(gpu: Gpu, work: Work) -> tuple[Any, float]:
    """Return the work as it was tuned, and the seconds of a call that the core measures."""
    tuned = gpu.tune(work)
    samples = measure(tuned, Settings(), first_call=0.0)
    return tuned, summarize(samples.times()).median


def test_an_operator_that_keeps_the_gpu_busy_is_timed_by_events(cuda: Any, gpu: Gpu) -> None:
    """Its device time is the kernel's, and nothing of the harness is taken off."""
    tuned, seconds = seconds_of(gpu, cuda.work(cuda.kernel(100 * US)))
    assert (tuned.graph, tuned.by_host, cuda.replays) == (False, None, 0)
    assert seconds == pytest.approx(100e-6)
    assert tuned.loop_overhead(10) == 0.0


def test_a_launch_bound_operator_is_captured(cuda: Any, gpu: Gpu) -> None:
    """Submission takes 10 us and the kernel 2: one launch of a graph carries a whole sample."""
    tuned, seconds = seconds_of(gpu, cuda.work(cuda.kernel(2 * US, 10 * US)))
    assert tuned.graph
    assert cuda.replays > 10
    assert seconds == pytest.approx(2e-6)


def test_the_three_figures(cuda: Any, gpu: Gpu) -> None:
    """Host, device, and the time until a single awaited call is done, each for itself."""
    tuned, seconds = seconds_of(gpu, cuda.work(cuda.kernel(2 * US, 10 * US)))
    assert gpu.observe(tuned, seconds).device_times == {
        "submit": pytest.approx(10e-6),
        "device": seconds,
        "latency": pytest.approx(12e-6),
        "graph": True,
    }


def test_what_cannot_be_captured_keeps_its_events(cuda: Any, gpu: Gpu) -> None:
    """The device time is right all the same, and the result says that it is launch-bound."""
    cuda.capturable = False
    tuned, seconds = seconds_of(gpu, cuda.work(cuda.kernel(2 * US, 10 * US)))
    assert not tuned.graph
    assert seconds == pytest.approx(2e-6)
    seen = gpu.observe(tuned, seconds)
    assert seen.device_times is not None
    assert seen.device_times["graph"] is False
    assert [note.code for note in seen.warnings] == ["launch_bound"]


@pytest.mark.parametrize("method", ["prepared_graphs", "pristine_copies"])
def test_calls_that_can_be_made_once_are_not_captured(cuda: Any, gpu: Gpu, method: str) -> None:
    """A replay would read what the first call freed, or change what was not restored."""
    tuned, seconds = seconds_of(gpu, cuda.work(cuda.kernel(2 * US, 10 * US), method=method))
    assert (tuned.graph, tuned.method, cuda.replays) == (False, method, 0)
    assert seconds == pytest.approx(2e-6)


def test_an_operator_that_waits_is_timed_by_the_host(cuda: Any, gpu: Gpu) -> None:
    """5 us of host and 20 us of GPU are 25; the two cannot be told apart, and that is said."""
    tuned, seconds = seconds_of(gpu, cuda.work(cuda.waiting(20 * US)))
    assert tuned.by_host
    assert tuned.loop_overhead(10) == pytest.approx(500e-9)
    assert seconds == pytest.approx(25e-6 - 50e-9)
    seen = gpu.observe(tuned, seconds)
    assert seen.device_times == {
        "submit": None, "device": None, "latency": pytest.approx(25e-6), "graph": False,
    }  # fmt: skip
    assert [note.code for note in seen.warnings] == ["synchronizes"]


def test_an_operator_without_a_kernel_is_timed_by_the_host(cuda: Any, gpu: Gpu) -> None:
    """A view costs the host 3 us and the GPU nothing: its device time would be no time at all."""

    def view() -> None:
        cuda.now += 3 * US

    tuned, seconds = seconds_of(gpu, cuda.work(view))
    assert seconds == pytest.approx(3e-6 - 50e-9)
    seen = gpu.observe(tuned, seconds)
    assert [note.code for note in seen.warnings] == ["no_kernel"]
    assert seen.device_times is not None
    assert seen.device_times["device"] is None


def test_batches_that_the_gpu_waited_in_are_said(cuda: Any, gpu: Gpu) -> None:
    """Every batch of this host stalls after the blocker was measured out."""
    tuned = gpu.tune(cuda.work(cuda.kernel(50 * US)))
    assert isinstance(tuned, DeviceWork)
    stalled = replace(tuned, steps=lambda n: [cuda.kernel(50 * US, 60 * MS)] * n)
    for _ in range(3):
        stalled.time(2)
    assert [note.code for note in gpu.observe(stalled, 50e-6).warnings] == ["starved"]


def test_a_ring_larger_than_the_queue_is_timed_whole(cuda: Any, gpu: Gpu) -> None:
    """Cold caches need all of a ring in one sample: it is timed in several batches."""
    asked: list[int] = []
    step = cuda.kernel(20 * US)

    def steps(iterations: int) -> Iterator[Any]:
        asked.append(iterations)
        return iter([step] * iterations)

    work = replace(cuda.work(step), steps=steps, least=1500, limit=4000)
    tuned = gpu.tune(work)
    assert tuned.time(1500) == pytest.approx(30e-3)
    assert min(asked) == 1500
    assert tuned.limit >= tuned.least == 1500


def test_tuning_takes_place_in_the_work_s_own_context(cuda: Any, gpu: Gpu) -> None:
    """What is probed and captured must be recorded, or not, as what is measured."""
    inside: list[bool] = []
    state = {"entered": False}

    @contextmanager
    def context() -> Iterator[None]:
        state["entered"] = True
        yield
        state["entered"] = False

    kernel = cuda.kernel(2 * US, 10 * US)

    def step() -> None:
        inside.append(state["entered"])
        kernel()

    work = cuda.work(step, context=context)
    gpu.observe(gpu.tune(work), 2e-6)
    assert inside
    assert all(inside)


def test_the_gpu_is_warmed_up_once_a_session(cuda: Any, gpu: Gpu) -> None:
    """Its clock rises within 0.1 s of work; the second operator finds it warm."""
    gpu.warm_up(cuda.work(cuda.kernel(20 * US)))
    assert 100 * MS <= cuda.now < 101 * MS
    gpu.warm_up(cuda.work(cuda.kernel(20 * US)))
    assert cuda.now < 101 * MS


def test_the_ring_is_planned_for_the_gpu_s_own_cache(cuda: Any, gpu: Gpu) -> None:
    """The last-level cache is its L2, and the ring lies in its memory, not in the host's."""
    assert gpu.device.cache_bytes == cuda.l2
    assert gpu.timer(0.0).cache_bytes == cuda.l2
    assert gpu.device.free_bytes() == gpu.timer(0.0).free_bytes() == cuda.free
    cuda.l2 = 0
    assert type(gpu)(cuda, 1).device.cache_bytes is None
