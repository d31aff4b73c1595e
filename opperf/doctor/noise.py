"""A against A: the same operator in fresh pairs of processes that alternate."""

from __future__ import annotations

import sys
import tempfile
import time
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from opperf.comparing.arms.arm import ArmSpec
from opperf.comparing.pairs.job import jobs_of
from opperf.comparing.pairs.session import Session
from opperf.core.errors import OpperfError
from opperf.core.finding import Finding
from opperf.core.statistics.repeatability import NEEDED, Repeatability, Seen, compare_sessions
from opperf.measuring.worker.handle import Limits
from opperf.planning.task import Task

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from opperf.comparing.pairs.job import Job
    from opperf.core.results.pair import Pair

PROBES: Sequence[tuple[str, Mapping[str, Any]]] = (
    ("Add", {"lhs": (16,), "rhs": (16,)}),
    ("Exp", {"data": (64, 64)}),
    ("Exp", {"data": (1024, 1024)}),
)
"""About 1 us, 10 us and 1 ms; a framework whose calls cost more takes longer over the first."""
FEWEST, MOST = 5, 12
"""Sessions of each framework."""
NOTED, TROUBLING = 0.02, 0.05


@dataclass
class Trial:
    """Fresh pairs of processes of each framework in turn, as many as the time allows."""

    frameworks: list[str]
    deadline: float
    say: Callable[[str], None]
    clock: Callable[[], float] = time.monotonic
    sessions: dict[tuple[str, str], list[Seen]] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)
    longest: float = 0.0

    def run(self) -> list[Repeatability]:
        """Return what each framework showed on each probe."""
        with tempfile.TemporaryDirectory() as folder:
            for number in range(MOST):
                if number >= FEWEST and not self.has_time():
                    break
                for framework in [*self.frameworks]:
                    self.say(f"noise: {framework}, pair of processes {number + 1}")
                    began = self.clock()
                    self.take(framework, number + 1, Path(folder))
                    self.longest = max(self.longest, self.clock() - began)
        found = (
            compare_sessions(subject, framework, sessions)
            for (framework, subject), sessions in self.sessions.items()
        )
        return [*filter(None, found)]

    def has_time(self) -> bool:
        """Return whether one more session of each framework would end in time."""
        return self.clock() + self.longest * len(self.frameworks) <= self.deadline

    def take(self, framework: str, number: int, folder: Path) -> None:
        """Measure in fresh processes; a framework that cannot be measured is left out from now."""
        try:
            for pair in measure_probes(framework, number, folder):
                subject = f"{pair.operator.name} {shape_of(pair)}"
                if pair.ratio is not None:
                    self.sessions.setdefault((framework, subject), []).append(session_medians(pair))
        except OpperfError as error:
            self.failures.append(f"{framework}: {error}")
            self.frameworks.remove(framework)


def measure_probes(framework: str, number: int, folder: Path) -> list[Pair]:
    """Return the pairs of one session of fresh processes, all of this interpreter."""
    here = ArmSpec(text=".", python=sys.executable)
    session = Session(
        number=number,
        purpose="control",
        run_id="doctor",
        arms={"a": here, "b": here},
        limits=Limits(),
        folder=folder,
        plans={},
    )
    return [*session.measure(probes(framework))]


def probes(framework: str) -> list[Job]:
    """Return what is measured."""
    return jobs_of(
        Task(operator=name, framework=framework, inputs=inputs, rows=(("only", "forward"),))
        for name, inputs in PROBES
    )


def shape_of(pair: Pair) -> str:
    """Return the shape of a probe's first input, as "64x64"."""
    return "x".join(map(str, pair.inputs[0].shape))


def session_medians(pair: Pair) -> Seen:
    """Return what a session tells: of arm A alone, and of both."""
    blocks = pair.a_blocks
    middle = len(blocks) // 2
    halves = median(blocks[:middle]), median(blocks[middle:])
    return Seen(halves=halves, ratio=pair.ratio or 0.0)


def noise_findings(figures: Iterable[Repeatability]) -> list[Finding]:
    """Return a probe's noise floor and the changes that can be told, as fractions."""
    return [finding for one in figures for finding in (floor_of(one), *changes_of(one))]


def floor_of(one: Repeatability) -> Finding:
    """Return a probe's noise floor between fresh processes."""
    return Finding(
        check="noise floor",
        subject=f"{one.framework} {one.subject}",
        level=level_of(one),
        figure=f"{one.between:.1%} between processes in turns, {one.inside:.1%} inside one, "
        f"{one.apart:.1%} one after the other",
        value=one.between,
        unit="1",
    )


def changes_of(one: Repeatability) -> list[Finding]:
    """Return the smallest change of a probe that `opperf ab` shows, by its sessions."""
    return [
        Finding(
            check="smallest change",
            subject=f"{one.framework} {one.subject}, {sessions} sessions",
            figure=f"{one.smallest(sessions):.1%}",
            value=one.smallest(sessions),
            unit="1",
        )
        for sessions in NEEDED
    ]


def noise_summary(figures: Sequence[Repeatability]) -> list[Finding]:
    """Return one finding for all probes, with what the noisiest one asks for."""
    if not figures:
        return []
    ordered = sorted(figures, key=lambda one: one.between)
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
            "several fresh processes of each, in turns: opperf ab.",
        )
    ]  # fmt: skip


def level_of(one: Repeatability) -> str:
    """Return how much of a trouble the noise is."""
    levels = (("ok", NOTED), ("note", TROUBLING), ("warning", inf))
    return next(level for level, most in levels if one.between <= most)
