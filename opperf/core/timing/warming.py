"""What comes before the samples: how many calls one is made of, and the warm-up.

Every threshold is explained in docs/lab/method.md.
"""

from __future__ import annotations

from itertools import pairwise
from math import ceil
from statistics import median
from typing import TYPE_CHECKING

from opperf.core.statistics.summary import half_width

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.configuration.settings import Settings
    from opperf.core.frameworks.workload import Work

MOST_ITERATIONS = 1_000_000
GROWTH = 16
CROSSINGS, STEADY_WINDOWS = 2, 3
WARM_SECONDS, WARM_CAP, WARM_SHARE, WARM_INTERVAL = 0.020, 0.5, 0.25, 500e-6
WINDOW, SHORTEST_WINDOW, WINDOW_SECONDS, STEADY = 10, 3, 0.01, 0.003


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
