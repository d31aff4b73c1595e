"""Timing: from a workload in one direction to samples.

It knows no operator and imports no framework. The order is: calibrate the iterations of a sample,
warm up until the medians stand still (warming.py), then sample until the interval is narrow enough
or the budget is spent (sampler.py). Every threshold is explained in docs/lab/method.md.
"""

from __future__ import annotations

import gc
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

from opperf.core.timing.noise import Noise, SystemCounters, interference_probe
from opperf.core.timing.sampler import Sampler, can_spare, without
from opperf.core.timing.warming import calibrate, warm_up

if TYPE_CHECKING:
    from collections.abc import Iterator

    from opperf.core.configuration.settings import Settings
    from opperf.core.frameworks.workload import Work


@dataclass(frozen=True, kw_only=True)
class Samples:
    """Elapsed seconds of each sample in time order, each over the same number of iterations.

    `loop_overhead` is the harness's own cost per iteration in seconds; `method` is "interval" or
    "slope"; `left_out` are the positions of samples that something else disturbed, where enough
    others were taken, and `noise` is what disturbed them all.
    """

    seconds: tuple[float, ...]
    iterations: int
    first_call: float
    loop_overhead: float
    method: str
    stop_reason: str
    steady: bool
    left_out: tuple[int, ...] = ()
    noise: Noise | None = None

    def times(self) -> tuple[float, ...]:
        """Return the net seconds per iteration of the samples that count, in time order."""
        kept = without(self.left_out, self.seconds)
        return tuple(elapsed / self.iterations - self.loop_overhead for elapsed in kept)


@contextmanager
def without_collector() -> Iterator[None]:
    """Keep the garbage collector out of timed parts.

    Nothing is collected first: beside a loaded framework that takes 50 ms, and what lies about does
    not disturb while the collector is off.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def measure(work: Work, settings: Settings, *, first_call: float) -> Samples:
    """Return the samples of one direction, whose first call was timed and checked before."""
    with without_collector(), work.context():
        began = work.device.clock()
        iterations, call = calibrate(work)
        steady = warm_up(work, settings, iterations, call, began)
        sampler = Sampler.choose(work, iterations, call, settings)
        probe, start = interference_probe(work.device), SystemCounters.now()
        seconds, overheads, reason = sampler.run(settings, probe)
        marked = probe.marked_samples(len(seconds))
        noise = SystemCounters.now().since(start, len(marked) / len(seconds))
    return Samples(
        seconds=tuple(seconds),
        iterations=sampler.divisor,
        first_call=first_call,
        loop_overhead=median(overheads),
        method="slope" if sampler.is_slope else "interval",
        stop_reason=reason,
        steady=steady,
        left_out=tuple(marked) if can_spare(marked, seconds, settings) else (),
        noise=noise,
    )


def time_first_call(work: Work) -> float:
    """Return the seconds of the very first call: compilation, primitive caches, autotuning."""
    with work.context():
        return work.device.time(work.steps(1))
