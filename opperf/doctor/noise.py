"""A against A: the same operator measured again and again, inside a process and in fresh ones."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING, Any

from opperf.core.errors import OpperfError
from opperf.core.finding import Finding
from opperf.core.frameworks import find_framework
from opperf.core.repeatability import Repeatability, compare_repeats
from opperf.core.settings import Settings
from opperf.core.status import TIMED
from opperf.isolation import measure_isolated
from opperf.operators.registry import find_operator
from opperf.worker.handle import Limits, Worker
from opperf.worker.protocol import Task

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

PROBES: Sequence[tuple[str, Mapping[str, Any]]] = (
    ("Add", {"lhs": (16,), "rhs": (16,)}),
    ("Exp", {"data": (64, 64)}),
    ("Exp", {"data": (1024, 1024)}),
)
"""About 1 us, 10 us and 1 ms; a framework whose calls cost more takes longer over the first."""
CHILDREN = 5
MOST_CHILDREN = 12
REPEATS = 3
BRIEFEST, LONGEST = 0.02, 0.3
"""Seconds that one measurement may take."""
AROUND = 0.1
"""Seconds that checking and warming up add to each."""
STARTING = 3.0
"""Seconds that a child may take to load its framework, before the first one was seen."""
NOTED, TROUBLING = 0.02, 0.05


@dataclass
class Trial:
    """Fresh children of each framework in turn, as many as the time allows, at least five."""

    frameworks: list[str]
    deadline: float
    say: Callable[[str], None]
    clock: Callable[[], float] = time.monotonic
    medians: dict[tuple[str, int], list[list[float]]] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)
    starting: float = STARTING

    def run(self) -> list[Repeatability]:
        """Return what each framework showed on each probe."""
        for number in range(MOST_CHILDREN):
            if number >= CHILDREN and self.seconds_each(len(self.frameworks)) < LONGEST:
                break
            for place, framework in enumerate([*self.frameworks]):
                left = max(CHILDREN - number, 1) * len(self.frameworks) - place
                self.say(f"noise: {framework}, process {number + 1}")
                self.take(framework, self.seconds_each(left))
        return [*filter(None, map(self.found, self.medians))]

    def seconds_each(self, children: int) -> float:
        """Return the seconds for each measurement if so many more children shall follow."""
        left = (self.deadline - self.clock()) / max(children, 1) - self.starting
        each = left / (len(PROBES) * REPEATS) - AROUND
        return min(max(each, BRIEFEST), LONGEST)

    def take(self, framework: str, seconds: float) -> None:
        """Measure in a fresh child; a framework that cannot be measured is left out from now on."""
        began = self.clock()
        worker = Worker(framework=framework, device="cpu", threads=1, limits=Limits())
        try:
            worker.ensure()
            self.starting = self.clock() - began
            rows = measure_probes(worker, seconds)
        except OpperfError as error:
            self.failures.append(f"{framework}: {error}")
            self.frameworks.remove(framework)
            return
        finally:
            worker.close()
        for probe, times in enumerate(rows):
            if len(times) == REPEATS:
                self.medians.setdefault((framework, probe), []).append(times)

    def found(self, key: tuple[str, int]) -> Repeatability | None:
        """Return what a framework showed on a probe."""
        framework, probe = key
        name, inputs = PROBES[probe]
        shape = "x".join(map(str, next(iter(inputs.values()))))
        return compare_repeats(f"{name} {shape}", framework, self.medians[key])


def measure_probes(worker: Worker, seconds: float) -> list[list[float]]:
    """Return each probe's medians, taken in turns, so that what comes and goes meets them all."""
    rows: list[list[float]] = [[] for _ in PROBES]
    framework = find_framework(worker.framework)
    for _ in range(REPEATS):
        for times, (name, inputs) in zip(rows, PROBES, strict=True):
            task = Task(
                operator=name,
                framework=worker.framework,
                inputs=inputs,
                rows=((None, "forward"),),
                settings=Settings(precision=0.002, budget=seconds),
            )
            operator = find_operator(name)(inputs)
            worker.ensure()
            for result in measure_isolated(worker, task, operator, framework):
                if result.status in TIMED and result.seconds and result.seconds > 0:
                    times.append(result.seconds)
    return rows


def noise_findings(found: Iterable[Repeatability]) -> list[Finding]:
    """Return a finding a probe: its noise floor between fresh processes, as a fraction."""
    return [
        Finding(
            check="noise floor",
            subject=f"{one.framework} {one.subject}",
            level=level_of(one),
            figure=f"{one.between:.1%} between processes, {one.inside:.1%} inside one",
            value=one.between,
            unit="1",
        )
        for one in found
    ]


def noise_summary(found: Sequence[Repeatability]) -> list[Finding]:
    """Return one finding for all probes, with what the noisiest one asks for."""
    if not found:
        return []
    ordered = sorted(found, key=lambda one: one.between)
    least, worst = ordered[0], ordered[-1]
    return [
        Finding(
            check="noise floor",
            level=level_of(worst),
            figure=f"{least.between:.1%} to {worst.between:.1%} between processes, "
            f"most for {worst.framework} {worst.subject}",
            value=worst.between,
            unit="1",
            advice="" if level_of(worst) == "ok" else
            f"One run against another tells differences above {worst.two_runs:.0%} only. Compare "
            "several fresh processes of each, in turns.",
        )
    ]  # fmt: skip


def level_of(one: Repeatability) -> str:
    """Return how much of a trouble the noise is."""
    levels = (("ok", NOTED), ("note", TROUBLING), ("warning", inf))
    return next(level for level, most in levels if one.between <= most)
