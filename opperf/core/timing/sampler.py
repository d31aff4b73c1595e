"""Samples: whole intervals or slopes, taken until they are precise or the budget is spent.

Every threshold is explained in docs/lab/method.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

from opperf.core.configuration.settings import MINIMUM_SAMPLES
from opperf.core.statistics.summary import half_width

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from opperf.core.configuration.settings import Settings
    from opperf.core.frameworks.workload import Work
    from opperf.core.timing.noise import InterferenceProbe, InterferenceProbes

CONSTANT_SHARE, SHARE_OF_PRECISION = 0.005, 0.25
SLOPE_FACTOR, LEAST_SLOPE_FACTOR, COSTLY_SLOPE_FACTOR = 16, 4, 2
FIRST_LOOK = 20
LOOKS_PER_DOUBLING = 2
OVERHEAD_SAMPLES = 5
PATIENCE = 2


def without(positions: Sequence[int], values: Sequence[float]) -> list[float]:
    """Return the values but for those at these positions."""
    left_out = set(positions)
    return [value for at, value in enumerate(values) if at not in left_out]


def can_spare(positions: Sequence[int], seconds: Sequence[float], settings: Settings) -> bool:
    """Return whether enough samples are left without the marked ones.

    A number of samples asked for by the user is kept as it is.
    """
    return settings.runs is None and len(seconds) - len(positions) >= MINIMUM_SAMPLES


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
                    spared = can_spare(probe.marked_samples(len(seconds)), seconds, settings)
                    if spared or clock() - start >= PATIENCE * budget:
                        return seconds, overheads, "budget"
                probe.run(len(seconds))
                seconds.append(self.sample())
            probe.run(len(seconds))
            quiet = without(probe.marked_samples(len(seconds)), seconds)
            if settings.runs is None and len(quiet) >= FIRST_LOOK:
                width = half_width(quiet)
                if width is not None and width <= settings.precision:
                    return seconds, overheads, "precision"
        return seconds, overheads, "runs"
