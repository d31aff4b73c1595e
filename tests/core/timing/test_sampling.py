"""What becomes of single samples: all are kept as they came, and none bends the figures."""

from __future__ import annotations

import gc
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from opperf.core.configuration.settings import Settings
from opperf.core.frameworks.device import Device
from opperf.core.frameworks.workload import Work
from opperf.core.statistics.summary import drift, outlier_share
from opperf.core.timing.measure import measure

if TYPE_CHECKING:
    from collections.abc import Callable

    Make = Callable[..., Any]

US = 1000
MS = 1_000_000


def test_every_sample_is_kept_in_time_order(machine: Make) -> None:
    """Neither is a slow one dropped nor are they sorted: drift is looked for in their order."""
    costs = [MS, 9 * MS, 2 * MS, 5 * MS, MS, 3 * MS, 2 * MS]
    fake = machine(MS, MS, *costs)
    samples = measure(fake.work(), Settings(warmup=0, runs=7), first_call=0.0)
    assert samples.times() == pytest.approx([cost * 1e-9 for cost in costs])


def test_one_disturbed_null_reading_changes_nothing(machine: Make) -> None:
    """The harness's own cost is the median of its readings."""
    fake, readings = machine(1 * MS), iter([50] * 4 + [90_000] + [50] * 100)

    def null() -> None:
        fake.now += next(readings)

    device = Device(clock=fake.clock)
    work = Work(device=device, steps=fake.steps, no_op=null)
    samples = measure(work, Settings(warmup=0, runs=6), first_call=0.0)
    assert samples.loop_overhead == pytest.approx(50e-9)


def test_the_null_call_itself_is_not_the_harness() -> None:
    """Null steps took 100 ns and the bare callable 30 of them: the harness adds 70."""
    readings = iter([0, 100, 200, 230])
    device = Device(clock=lambda: next(readings))
    work = Work(device=device, steps=lambda _: (), no_op=lambda: None)
    assert work.loop_overhead(1) == pytest.approx(70e-9)


def test_the_collector_rests_in_every_call(machine: Make) -> None:
    """No sample holds a garbage collection."""
    fake, seen = machine(1 * MS), []

    def watched(iterations: int) -> list[Callable[[], None]]:
        seen.append(gc.isenabled())
        return [fake.call] * iterations

    gc.enable()
    measure(Work(device=Device(clock=fake.clock), steps=watched, no_op=fake.do_nothing),
            Settings(runs=6), first_call=0.0)  # fmt: skip
    assert set(seen) == {False}


def test_samples_far_out_do_not_hide_each_other() -> None:
    """Samples are outliers by their distance from the median, which they hardly move."""
    values = np.random.default_rng(9).normal(10, 1, 100)
    values[[10, 20, 30]] = 1e6
    assert outlier_share(values) == pytest.approx(0.03)


def test_the_size_of_a_drift_is_that_of_most_samples() -> None:
    """Every tenth sample, preempted, does not change it: the slope is the pairs' median."""
    values = 1 + 0.1 * np.linspace(0, 1, 100)
    values[::10] *= np.fromiter(cycle([3.0, 5.0]), float, 10)
    assert drift(values) == pytest.approx(0.1 / 1.05, rel=0.1)
