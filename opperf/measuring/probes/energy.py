"""Energy of a call: of the processor's packages by RAPL, or of the GPU by NVML.

What a whole package or board takes meanwhile is counted, so with what it takes at rest and with
whatever else runs on it. Sources: Linux, Documentation/power/powercap; the NVML reference,
nvmlDeviceGetTotalEnergyConsumption.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise
from math import ceil
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from opperf.core.environment.nvml import load_nvml
from opperf.core.timing.measure import without_collector
from opperf.core.timing.metric import Metric
from opperf.measuring.probes.probe import TimedProbe

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from opperf.core.configuration.settings import Settings
    from opperf.core.frameworks.workload import Work
    from opperf.core.timing.measure import Samples

POWERCAP = Path("/sys/class/powercap")
PACKAGES = "intel-rapl:[0-9]*"
"""Of AMD's processors as well; what has a second colon is a part of a package."""
MICRO, MILLI = 1e-6, 1e-3
STEPS, WANTED = 100, 125
"""Renewals of a counter that calls must take at least, so that one is below 1 % of them, and with
room for calls that turn out faster than the samples were."""
RENEWALS = 3
PATIENCE = 0.5
"""Seconds in which a counter has to be renewed so many times."""
BUDGETS = 4
"""How many times the budget of a row the calls may take."""


class NoEnergyError(Exception):
    """There is no value; says why."""


@dataclass(frozen=True)
class Counter:
    """Something that counts joules in units, and begins anew beyond `most` of them, if that is."""

    read: Callable[[], int]
    joules: float
    most: int | None = None

    def between(self, before: int, after: int) -> float:
        """Return the joules from one reading to a later one."""
        anew = (self.most or 0) if after < before else 0
        return (after - before + anew) * self.joules


@dataclass(frozen=True)
class Meter:
    """Counters of energy and the seconds between two renewals, or the reason why there are none."""

    counters: Sequence[Counter] = ()
    step: float = 0.0
    reason: str | None = None


@cache
def find_meter(device: str) -> Meter:
    """Return the meter of a device, found once a process: that takes up to half a second."""
    try:
        counters = packages() if device == "cpu" else gpu()
        return Meter(counters, max(map(period, counters)))
    except (NoEnergyError, OSError) as error:
        return Meter(reason=str(error))


def measure_energy(work: Work, samples: Samples, settings: Settings) -> Metric:
    """Return the joules of a call, or why they are not known."""
    meter = find_meter(work.device.name)
    value, reason = None, meter.reason
    if reason is None:
        try:
            value = joules(meter, work, median(samples.times()), BUDGETS * settings.budget)
        except (NoEnergyError, OSError) as error:
            reason = str(error)
    return Metric(name="energy", unit="J", value=value, reason=reason)


def packages() -> list[Counter]:
    """Return a counter for each processor package."""
    folders = [path for path in sorted(POWERCAP.glob(PACKAGES)) if path.name.count(":") == 1]
    named = [path for path in folders if (path / "name").read_text().startswith("package")]
    if not named:
        raise NoEnergyError("no RAPL in /sys/class/powercap, as is common for a virtual machine")
    return [package(path) for path in named]


def package(path: Path) -> Counter:
    """Return the counter of a package."""

    def read() -> int:
        return int((path / "energy_uj").read_text())

    try:
        read()
    except PermissionError:
        raise NoEnergyError(f"{path}/energy_uj is readable by root only") from None
    return Counter(read, MICRO, int((path / "max_energy_range_uj").read_text()))


def gpu() -> list[Counter]:
    """Return the counter of the GPU, where there is one and no doubt which it is."""
    nvml = load_nvml()
    if nvml.value is None:
        raise NoEnergyError(str(nvml.reason))
    try:
        count = nvml.value.nvmlDeviceGetCount()
        handle = nvml.value.nvmlDeviceGetHandleByIndex(0)
        counter = Counter(partial(nvml.value.nvmlDeviceGetTotalEnergyConsumption, handle), MILLI)
        counter.read()
    except Exception as error:
        raise NoEnergyError(f"NVML does not tell the GPU's energy: {error}") from error
    if count != 1:
        raise NoEnergyError(f"NVML lists {count} GPUs, and does not say which of them this is")
    return [counter]


def joules(
    meter: Meter,
    work: Work,
    call: float,
    longest: float,
    clock: Callable[[], float] = time.perf_counter,
) -> float:
    """Return the joules of a call that takes so many seconds.

    Raises:
        NoEnergyError: A counter is too coarse for the seconds that the calls may take.
    """
    counters, wanted = meter.counters, WANTED * meter.step
    if not 0 < wanted <= longest:
        raise NoEnergyError(
            f"to know it to 1 % takes {wanted:.2g} s of calls, more than {BUDGETS} times the budget"
        )
    iterations = max(ceil(wanted / call) if call > 0 else work.limit + 1, work.least)
    if iterations > work.limit:
        raise NoEnergyError(f"no more than {work.limit} calls can be prepared; 1 % takes more")
    steps = work.steps(iterations)
    with without_collector(), work.context():
        before = [counter.read() for counter in counters]
        began = clock()
        work.device.time(steps)
        took = clock() - began
        after = [counter.read() for counter in counters]
    if took < wanted * STEPS / WANTED:
        raise NoEnergyError("the calls took less time than their samples did")
    found = zip(counters, before, after, strict=True)
    return sum(counter.between(one, other) for counter, one, other in found) / iterations


def period(counter: Counter, clock: Callable[[], float] = time.perf_counter) -> float:
    """Return the seconds from one renewal of a counter to the next, the longest of a few."""
    began, last = clock(), counter.read()
    renewals: list[float] = []
    while len(renewals) < RENEWALS:
        now, value = clock(), counter.read()
        if now - began > PATIENCE:
            raise NoEnergyError(f"the counter was not renewed {RENEWALS} times in {PATIENCE:g} s")
        if value != last:
            renewals.append(now)
            last = value
    return max(later - earlier for earlier, later in pairwise(renewals))


PROBE = TimedProbe(names=("energy",), measure=measure_energy)
