"""E5, absolute time: calls whose length is known, and calls that do the same work k times."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise, repeat
from statistics import median
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any

import numpy as np

from experiments.finding import Figure, Finding, Table, microseconds, percent
from experiments.timing import calling, pytorch, sample
from opperf.core.configuration.settings import Settings
from opperf.core.frameworks.device import Device
from opperf.core.frameworks.registry import find_framework
from opperf.core.frameworks.workload import Work, accept_all
from opperf.core.timing.sample_warnings import sample_warnings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from opperf.core.frameworks.device import Step

SPINS = (*(factor * 10**power for power in range(3, 8) for factor in (1, 2, 5)), 10**8)
"""Nanoseconds: 1 us to 100 ms."""
WORK = (1, 2, 4, 8, 16, 32, 64)
SLOPE, INTERCEPT = 0.002, 30e-9
UNIT = {"pytorch": (65536, 50), "mxnet": (65536, 1)}
"""Elements of a call, and how many calls are a unit of work: some 1 ms, and 0.4 ms of MXNet. The
tensors stay in the core's own cache. What surrounds a sample costs its first calls a few
microseconds, and entering a Python function between kernels 0.3 us more than entering one that
calls nothing; beside a shorter unit both would be taken for an error of the slope. MXNet's engine
hands each call to another thread, which jitters by more than a small call takes."""

FEWEST_ROUNDS = 10
"""So many that nothing disturbed are needed for the others to be left out."""
SETTLED = 0.2
"""Seconds of the same work before each measurement, so that all find the core in one state."""

METHOD = """\
A spin reads the clock until so many nanoseconds have passed since its first reading, and adds up
what it spun; that sum over the calls of a sample is the truth. What its call costs beside, a spin
of no length, measured beside it, tells. The line through reported against true time is fitted with
relative weights. Then one call does a unit of a framework's work (exponentials of some 1 ms, of 0.4
ms in MXNet) k times, k from 1 to 64, in turns, each after 0.2 s of the same work. Reported times
must be proportional to k: the slope from 1 to 8 is compared with that from 8 to 64, each round by
itself. Rounds with a measurement that says `disturbed` are left out where ten others are left. No
intercept is judged there: entering the call is a real part of its time."""


@dataclass
class Spin:
    """A call that lasts so many nanoseconds and knows how long it really took."""

    length: int
    spent: int = 0
    calls: int = 0
    marks: list[tuple[int, int]] = field(default_factory=list)

    def __call__(self) -> None:
        """Spin."""
        start = now = perf_counter_ns()
        end = start + self.length
        while now < end:
            now = perf_counter_ns()
        self.spent += now - start
        self.calls += 1

    def steps(self, iterations: int) -> Iterable[Step]:
        """Prepare a batch, and mark where it begins."""
        self.marks.append((self.spent, self.calls))
        return repeat(self, iterations)

    def truths(self) -> list[float]:
        """Return the true seconds of a call, batch by batch."""
        marks = [*self.marks, (self.spent, self.calls)]
        return [(b[0] - a[0]) / (b[1] - a[1]) * 1e-9 for a, b in pairwise(marks)]


def spin_once(length: int, settings: Settings) -> tuple[float, float]:
    """Return the true and the reported seconds of a spin, over the very same samples."""
    spin = Spin(length)
    samples, summary = sample(Work(device=Device(), steps=spin.steps, no_op=accept_all), settings)
    return median(spin.truths()[-len(samples.seconds) :]), summary.median


def line(true: Sequence[float], reported: Sequence[float]) -> tuple[float, float]:
    """Return slope and intercept in seconds of the line with the least relative residuals."""
    x, y = np.asarray(true), np.asarray(reported)
    design = np.stack([np.ones_like(x), x], axis=1) / x[:, None]
    (intercept, slope), *_ = np.linalg.lstsq(design, y / x, rcond=None)
    return float(slope), float(intercept)


def spin_beyond_call(length: int, settings: Settings) -> tuple[float, float]:
    """Return the same less those of a spin of no length, taken beside it."""
    (true, reported), (zero_true, zero_reported) = (
        spin_once(each, settings) for each in (length, 0)
    )
    return true - zero_true, reported - zero_reported


def spins(rounds: int, settings: Settings) -> tuple[list[Figure], Table]:
    """Compare spins of all lengths with what is reported of them."""
    found: dict[int, list[tuple[float, float]]] = {length: [] for length in SPINS}
    for _ in range(rounds):
        for length in SPINS:
            found[length].append(spin_beyond_call(length, settings))
    true, reported = (
        [median(pair[side] for pair in pairs) for pairs in found.values()] for side in (0, 1)
    )
    slope, intercept = line(true, reported)
    rows = [
        [microseconds(x), microseconds(y), f"{(y - x) * 1e9:.0f} ns", percent(y / x - 1, 3)]
        for x, y in zip(true, reported, strict=True)
    ]
    table = Table(caption="Spins", headers=("true", "reported", "error", "relative"), rows=rows)
    what = "spins 1 us to 100 ms"
    offset = Figure(
        what=f"{what}: intercept",
        figure=f"{intercept * 1e9:.1f} ns",
        target=f"<= {INTERCEPT * 1e9:.0f} ns",
        met=abs(intercept) <= INTERCEPT,
    )
    return [slope_figure(what, slope - 1), offset], table


def slope_figure(what: str, error: float) -> Figure:
    """Return a slope's error beside its target."""
    return Figure(
        what=f"{what}: error of the slope",
        figure=percent(error, 3),
        target=f"<= {percent(SLOPE, 1)}",
        met=abs(error) <= SLOPE,
    )


def repeated(call: Step, times: int) -> Step:
    """Return a call that makes another so many times."""

    def work() -> None:
        for _ in repeat(None, times):
            call()

    return work


def settle(work: Work) -> None:
    """Do this work for a while."""
    end = perf_counter_ns() + SETTLED * 1e9
    while perf_counter_ns() < end:
        work.time(1)


def exponentials() -> Mapping[str, tuple[Device, Step]]:
    """Return each framework's exponential into a ready tensor: nothing is allocated."""
    torch: Any = pytorch().torch  # type: ignore[attr-defined] # PyTorch's own module
    data = torch.rand(UNIT["pytorch"][0])
    found = {"pytorch": (Device(), partial(torch.exp, data, out=torch.empty_like(data)))}
    framework = find_framework("mxnet")
    if framework.is_installed():
        framework.load(1)
        nd = framework.mxnet.nd  # type: ignore[attr-defined] # MXNet's own module
        tensor = nd.random.uniform(shape=UNIT["mxnet"][:1])
        found["mxnet"] = (framework.device("cpu"), partial(nd.exp, tensor, out=tensor.copy()))
    return found


def scaling(
    name: str, device: Device, call: Step, rounds: int, settings: Settings
) -> tuple[list[Figure], Table]:
    """Measure k times the work in turns and judge how far that is from k times the time."""
    works = {times: calling(repeated(call, times * UNIT[name][1]), device) for times in WORK}
    every: list[Mapping[int, float]] = []
    quiet: list[Mapping[int, float]] = []
    for turn in range(rounds):
        found, disturbed = {}, False
        for times in WORK[:: 1 if turn % 2 else -1]:  # so that a drift falls on both ends alike
            settle(works[WORK[0]])
            samples, summary = sample(works[times], settings)
            found[times] = summary.median
            codes = [warning.code for warning in sample_warnings(samples, summary, settings)]
            disturbed = disturbed or "disturbed" in codes
        every.append(found)
        if not disturbed:
            quiet.append(found)
    judged = quiet if len(quiet) >= FEWEST_ROUNDS else every
    middle = [median(found[times] for found in judged) for times in WORK]
    slope, _ = line(WORK, middle)
    rows = [
        [str(times), microseconds(value), percent(value / times / slope - 1)]
        for times, value in zip(WORK, middle, strict=True)
    ]
    headers = ("units", "reported", "a unit, off the line's slope")
    table = Table(caption=f"Work scaling, {name}", headers=headers, rows=rows)
    undisturbed = Figure(
        what=f"{name}: rounds that nothing disturbed", figure=f"{len(quiet)} of {len(every)}"
    )
    bend = median(bend_of(found) for found in judged)
    return [slope_figure(f"{name}, 1 to 64 times the work", bend), undisturbed], table


def bend_of(found: Mapping[int, float]) -> float:
    """Return how far the slope of the upper half of the work is from that of the lower half."""
    few, some, many = WORK[0], WORK[len(WORK) // 2], WORK[-1]
    upper = (found[many] - found[some]) / (many - some)
    return upper / ((found[some] - found[few]) / (some - few)) - 1


def run(quick: bool) -> Finding:
    """Run both parts."""
    settings = Settings(budget=0.1 if quick else 0.3, precision=0.002)
    short = replace(settings, budget=0.05)  # a neighbor then mostly falls on a whole round
    parts = [spins(1 if quick else 5, settings)]
    for name, (device, call) in exponentials().items():
        parts.append(scaling(name, device, call, 15 if quick else 60, short))
    return Finding(
        name="E5",
        title="Absolute time",
        method=METHOD,
        figures=[figure for figures, _ in parts for figure in figures],
        tables=[table for _, table in parts],
    )
