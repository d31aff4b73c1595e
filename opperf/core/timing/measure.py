"""Timing: from a workload in one direction to samples.

It knows no operator and imports no framework. The order is: calibrate the iterations of a sample,
warm up until the medians stand still, then sample until the interval is narrow enough or the budget
is spent. Every threshold is explained in docs/method.md.
"""

from __future__ import annotations

import gc
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count, pairwise
from math import ceil
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from opperf.core.configuration.settings import MINIMUM_SAMPLES
from opperf.core.statistics.summary import median_interval, relative_half_width
from opperf.core.timing.noise import Noise, SystemCounters, interference_probe

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from opperf.core.configuration.settings import Settings
    from opperf.core.frameworks.workload import Work
    from opperf.core.timing.noise import InterferenceProbe, InterferenceProbes

CONSTANT_SHARE, SHARE_OF_PRECISION = 0.005, 0.25
SLOPE_FACTOR, LEAST_SLOPE_FACTOR, COSTLY_SLOPE_FACTOR = 16, 4, 2
MOST_ITERATIONS = 1_000_000
GROWTH = 16
CROSSINGS, STEADY_WINDOWS = 2, 3
FIRST_LOOK = 20
LOOKS_PER_DOUBLING = 2
WARM_SECONDS, WARM_CAP, WARM_SHARE, WARM_INTERVAL = 0.020, 0.5, 0.25, 500e-6
WINDOW, SHORTEST_WINDOW, WINDOW_SECONDS, STEADY = 10, 3, 0.01, 0.003
OVERHEAD_SAMPLES = 5
PATIENCE = 2


@dataclass(frozen=True, kw_only=True)
class Samples:
    """Elapsed seconds of each sample in time order, each over the same number of iterations.

    `null` is the harness's own cost per iteration in seconds; `method` is "interval" or "slope";
    `left_out` are the positions of samples that something else disturbed, where enough others were
    taken, and `noise` is what disturbed them all.
    """

    seconds: tuple[float, ...]
    iterations: int
    first_call: float
    null: float
    method: str
    stop_reason: str
    steady: bool
    left_out: tuple[int, ...] = ()
    noise: Noise | None = None

    def times(self) -> tuple[float, ...]:
        """Return the net seconds per iteration, in time order, but for those that are left out."""
        kept = without(self.left_out, self.seconds)
        return tuple(elapsed / self.iterations - self.null for elapsed in kept)


@contextmanager
def undisturbed() -> Iterator[None]:
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
    with undisturbed(), work.context():
        began = work.device.clock()
        iterations, call = calibrate(work)
        steady = warm_up(work, settings, iterations, call, began)
        sampler = Sampler.choose(work, iterations, call, settings)
        probe, start = interference_probe(work.device), SystemCounters.now()
        seconds, overheads, reason = sampler.run(settings, probe)
        marked = probe.marked(len(seconds))
        noise = SystemCounters.now().since(start, len(marked) / len(seconds))
    return Samples(
        seconds=tuple(seconds),
        iterations=sampler.divisor,
        first_call=first_call,
        null=median(overheads),
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


def calibrate(work: Work) -> tuple[int, float]:
    """Return how many iterations fill the device's interval, and about the seconds of one.

    The number grows towards the interval. The crossing must be seen twice: one slow early call
    would pin it to one.
    """
    target, limit = work.device.interval, min(work.limit, MOST_ITERATIONS)
    iterations, crossings = work.least, 0
    while True:
        elapsed = work.time(iterations)
        call = max(elapsed / iterations, 1e-9)
        crossings = crossings + 1 if elapsed >= target else 0
        if crossings == CROSSINGS:
            return min(max(ceil(iterations * target / elapsed), work.least), limit), call
        if crossings == 0:
            if iterations == limit:
                return limit, call
            factor = min(max(target / max(elapsed, 1e-9), 2), GROWTH)
            iterations = min(ceil(iterations * factor), limit)


def warm_up(work: Work, settings: Settings, iterations: int, call: float, began: int) -> bool:
    """Call until two successive windows get no faster; return whether they came to that.

    `call` is about the seconds of one. The calls since `began`, by which the iterations were
    calibrated, have warmed it up as well. A number of calls asked for by the user is made as it is,
    and believed.
    """
    if settings.warmup is not None:
        for _ in range(settings.warmup):
            work.time(1)
        return True
    iterations = max(int(iterations * min(WARM_INTERVAL / work.device.interval, 1)), 1)
    clock = work.device.clock
    elapsed = call * iterations
    while clock() - began < WARM_SECONDS * 1e9:
        elapsed = work.time(iterations)
    size = min(max(int(WINDOW_SECONDS / max(elapsed, 1e-9)), SHORTEST_WINDOW), WINDOW)
    medians: list[float] = []
    cap = min(WARM_CAP, settings.budget * WARM_SHARE)
    while clock() - began < cap * 1e9:
        window = [work.time(iterations) for _ in range(size)]
        medians.append(median(window))
        if is_steady(medians, max(STEADY, noise_of(window))):
            return True
    return False


def noise_of(window: Sequence[float]) -> float:
    """Return the relative half-width of the median's interval, or of the range of a few."""
    width = half_width(window)
    return (max(window) - min(window)) / (2 * median(window)) if width is None else width


def is_steady(medians: Sequence[float], noise: float) -> bool:
    """Return whether, of the last three window medians, none is faster beyond the noise.

    One that is slower says that the machine is noisy, not that the operator is still warming up.
    """
    last = medians[-STEADY_WINDOWS:]
    return len(last) == STEADY_WINDOWS and all(a - b <= noise * a for a, b in pairwise(last))


def half_width(times: Sequence[float]) -> float | None:
    """Return the relative half-width of the median's interval."""
    values = np.asarray(times, dtype=float)
    return relative_half_width(median_interval(values), float(np.median(values)))


def without(positions: Sequence[int], values: Sequence[float]) -> list[float]:
    """Return the values but for those at these positions."""
    left_out = set(positions)
    return [value for at, value in enumerate(values) if at not in left_out]


def can_spare(marked: Sequence[int], seconds: Sequence[float], settings: Settings) -> bool:
    """Return whether enough samples are left without the marked ones.

    A number of samples asked for by the user is kept as it is.
    """
    return settings.runs is None and len(seconds) - len(marked) >= MINIMUM_SAMPLES


def looks() -> Iterator[int]:
    """Yield the sample sizes at which the precision is looked at: 20, 28, 40, 56, 80, ..."""
    for look in count():
        yield int(FIRST_LOOK * 2 ** (look / LOOKS_PER_DOUBLING))


@dataclass(frozen=True)
class Sampler:
    """Takes samples by whole intervals or by the slope between a short and a long batch.

    What happens once a batch (waking an asynchronous engine, awaiting it) cancels in the slope. A
    factor of 16 between the two costs a third more samples for the same precision, one of 4 costs
    three times as many, and one of 2 nine times: only calls so slow that the fewest samples would
    outlast the budget are put up with it.
    """

    work: Work
    iterations: int
    short: int = 0

    @classmethod
    def choose(cls, work: Work, iterations: int, call: float, settings: Settings) -> Sampler:
        """Take the slope where the constant could exceed 0.5 % of an interval.

        Or a quarter of the precision, where that is more; `call` is about the seconds of one call.
        What leads a batch is the short end of a slope by itself.
        """
        if work.lead:
            return cls(work, iterations)
        fewest = call * (LEAST_SLOPE_FACTOR + 1) * MINIMUM_SAMPLES
        least = LEAST_SLOPE_FACTOR if fewest <= settings.budget else COSTLY_SLOPE_FACTOR
        negligible = max(CONSTANT_SHARE, settings.precision * SHARE_OF_PRECISION)
        share = work.device.constant / (call * iterations)
        if share <= negligible or work.limit < least:
            return cls(work, iterations)
        long = max(iterations, least)
        return cls(work, long, max(long // SLOPE_FACTOR, 1))

    @property
    def divisor(self) -> int:
        """Return the iterations that one sample's seconds stand for."""
        return self.iterations - self.short

    @property
    def is_slope(self) -> bool:
        """Whether a sample is what a long batch takes more than a short one."""
        return bool(self.short or self.work.lead)

    def sample(self) -> float:
        """Return one sample's seconds."""
        seconds = self.work.time(self.iterations)
        return seconds - self.work.time(self.short) if self.is_slope else seconds

    def loop_overhead(self) -> float:
        """Return the seconds per iteration of what is not the call's own.

        That is the loop's part and, of a whole interval, reading the clock. Waking and awaiting an
        engine that is idle is no part of awaiting a busy one.
        """
        device = self.work.device
        once = 0.0 if self.is_slope or device.constant else device.time(())
        return (once + self.work.loop_overhead(self.divisor)) / self.divisor

    def run(
        self, settings: Settings, probe: InterferenceProbe | InterferenceProbes
    ) -> tuple[list[float], list[float], str]:
        """Sample until precise or out of budget; return samples, loop overheads and the reason.

        Precise are the samples that nothing disturbed. Where there are too few of them, as much
        again as the budget is spent on waiting for a neighbor to go.
        """
        seconds: list[float] = []
        overheads: list[float] = []
        clock = self.work.device.clock
        start, budget = clock(), settings.budget * 1e9
        stages: Iterable[int] = looks() if settings.runs is None else (settings.runs,)
        for size in stages:
            overheads += [self.loop_overhead() for _ in range(OVERHEAD_SAMPLES)]
            while len(seconds) < size:
                enough = settings.runs is None and len(seconds) >= MINIMUM_SAMPLES
                if enough and clock() - start >= budget:
                    spared = can_spare(probe.marked(len(seconds)), seconds, settings)
                    if spared or clock() - start >= PATIENCE * budget:
                        return seconds, overheads, "budget"
                probe.listen(len(seconds))
                seconds.append(self.sample())
            probe.listen(len(seconds))
            quiet = without(probe.marked(len(seconds)), seconds)
            if settings.runs is None and len(quiet) >= FIRST_LOOK:
                width = half_width(quiet)
                if width is not None and width <= settings.precision:
                    return seconds, overheads, "precision"
        return seconds, overheads, "runs"
