"""E7, time to precision: the seconds until a tool is within 1 % of a long reference."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass, field
from functools import partial
from itertools import repeat
from math import exp, log
from pathlib import Path
from statistics import fmean, median
from tempfile import TemporaryDirectory
from time import perf_counter, perf_counter_ns
from typing import TYPE_CHECKING, Any

from experiments.calls import CALLS, make_call
from experiments.finding import Figure, Finding, Table, microseconds, percent
from experiments.pyperf_run import run_pyperf
from experiments.timing import calling, seconds
from opperf.core.configuration.settings import Settings
from opperf.core.memory.heap import holes_filled
from opperf.core.timing.noise import InterferenceProbe

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from opperf.core.frameworks.device import Step

ERROR, SHARE = 0.01, 0.9
"""A setting is precise where this share of its trials is within the error."""
AGAINST_BLOCKED, AGAINST_PYPERF = 0.5, 0.1
CHUNK = 2e-3
"""Seconds of one reading of the reference."""
OURS = ((0.05, 0.1), (0.02, 0.5), (0.01, 0.5), (0.002, 1.0))
"""Precision asked for, and the budget in seconds: first --quick, then the default."""
BLOCKED = (0.05, 0.2, 0.5, 1.0, 2.0)
"""Least seconds to run; the second is the default."""

METHOD = """\
The truth is the median of 60 s of readings of 2 ms, spread between all trials in one process;
those beside a slow probe (method.md) are left out, so that a neighbor is no part of it.
Each tool is tried in several settings, in turns; a trial's error is its median against the truth,
its seconds are all that it took, calibration and warming up included, with the call ready. A tool's
time to precision is that of its cheapest setting of which 90 % of the trials are within 1 %; where
none is, the seconds of its most thorough one stand for it, marked >. Ratios are geometric means
over the calls. `adaptive_autorange` is tried as it comes. pyperf runs the same call in processes of
its own, as it does, with its options --fast and none; one trial each, so its luck counts."""


@dataclass(frozen=True, kw_only=True)
class Trial:
    """One answer in seconds a call, and the seconds it took."""

    answer: float
    took: float


@dataclass
class Setting:
    """A tool in one setting, and its trials."""

    tool: str
    name: str
    ask: Callable[[], float]
    trials: list[Trial] = field(default_factory=list)

    def attempt(self) -> None:
        """Ask once."""
        start = perf_counter()
        answer = self.ask()
        self.trials.append(Trial(answer=answer, took=perf_counter() - start))

    def errors(self, truth: float) -> list[float]:
        """Return the errors of all trials."""
        return sorted(abs(trial.answer / truth - 1) for trial in self.trials)

    def is_precise(self, truth: float) -> bool:
        """Return whether enough trials are near enough."""
        errors = self.errors(truth)
        return sum(error <= ERROR for error in errors) >= SHARE * len(errors)

    @property
    def took(self) -> float:
        """The mean seconds of a trial."""
        return fmean(trial.took for trial in self.trials)


@dataclass
class Reference:
    """Readings of a call in seconds, each over so many calls, and a probe between them."""

    call: Step
    calls: int = 1
    readings: list[float] = field(default_factory=list)
    probe: InterferenceProbe = field(default_factory=lambda: InterferenceProbe(perf_counter_ns))

    def read(self, length: float) -> None:
        """Read for so many seconds."""
        end = now = perf_counter() + length
        while now <= end:
            self.probe.run(len(self.readings))
            start = perf_counter()
            for _ in repeat(None, self.calls):
                self.call()
            now = perf_counter()
            self.readings.append((now - start) / self.calls)

    @property
    def truth(self) -> float:
        """The median of the readings beside which nothing else had the processor."""
        marked = set(self.probe.marked_samples(len(self.readings)))
        quiet = [reading for at, reading in enumerate(self.readings) if at not in marked]
        return median(quiet or self.readings)


def reference(call: Step) -> Reference:
    """Return a reference of readings of 2 ms, none taken yet."""
    Reference(call).read(0.2)  # what a first call costs belongs to nobody
    trial = Reference(call)
    trial.read(0.2)
    return Reference(call, calls=max(round(CHUNK / trial.truth), 1))


def settings_for(call: Step) -> list[Setting]:
    """Return all tools that measure in this process, in all settings."""
    from torch.utils.benchmark import Timer

    timer: Any = Timer("call()", globals={"call": call}, num_threads=1)
    work = calling(call)

    def ours(precision: float, budget: float) -> Callable[[], float]:
        return lambda: seconds(work, Settings(precision=precision, budget=budget))

    def blocked(least: float) -> Callable[[], float]:
        return lambda: float(timer.blocked_autorange(min_run_time=least).median)

    return [
        *(Setting("opperf", f"{percent(p, 1)} within {b:g} s", ours(p, b)) for p, b in OURS),
        *(Setting("blocked_autorange", f"{least:g} s", blocked(least)) for least in BLOCKED),
        Setting("adaptive_autorange", "default", lambda: float(timer.adaptive_autorange().median)),
    ]


def ask_pyperf(call: str, option: str) -> float:
    """Return pyperf's median of the call, from processes of its own."""
    import pyperf

    with TemporaryDirectory() as folder:
        path = Path(folder, "found.json")
        run_pyperf(call, path, *([option] if option else []))
        return float(pyperf.Benchmark.load(str(path)).median())


def try_all(name: str, rounds: int, length: float, options: Sequence[str]) -> Found:
    """Try all settings on one call; the reference's seconds are spread between them."""
    call = make_call(name)
    truth = reference(call)
    settings = settings_for(call)
    with holes_filled():  # one place for the outputs of all
        for number in range(rounds):
            turn = number % len(settings)
            for setting in settings[turn:] + settings[:turn]:
                truth.read(length / (rounds * len(settings)))
                setting.attempt()
    for option in options:
        peer = Setting("pyperf", option or "default", partial(ask_pyperf, name, option))
        peer.attempt()
        settings.append(peer)
    return Found(call=name, truth=truth.truth, settings=settings)


@dataclass(frozen=True, kw_only=True)
class Found:
    """What all tools said of one call."""

    call: str
    truth: float
    settings: Sequence[Setting]

    def time_to_precision(self, tool: str) -> tuple[float, bool] | None:
        """Return the seconds, and whether the tool got there; None where it was not tried."""
        own = sorted((s for s in self.settings if s.tool == tool), key=lambda s: s.took)
        for setting in own:
            if setting.is_precise(self.truth):
                return setting.took, True
        return (own[-1].took, False) if own else None

    def rows(self) -> Iterator[list[str]]:
        """Yield a line a setting."""
        for setting in self.settings:
            errors = setting.errors(self.truth)
            within = sum(error <= ERROR for error in errors) / len(errors)
            yield [
                self.call,
                setting.tool,
                setting.name,
                f"{setting.took:.3g}",
                percent(median(errors)),
                percent(errors[-1]),
                percent(within, 0),
            ]


def shown(time: tuple[float, bool] | None) -> str:
    """Return a time to precision in seconds, marked where the tool did not get there."""
    if time is None:
        return "-"
    took, reached = time
    return f"{took:.3g}" if reached else f"> {took:.3g}"


def judge(found: Sequence[Found], tool: str, most: float | None) -> Figure:
    """Return our time to precision over another tool's, beside its target."""
    ratios, reached = [], True
    for entry in found:
        ours, theirs = entry.time_to_precision("opperf"), entry.time_to_precision(tool)
        if ours is not None and theirs is not None:
            ratios.append(log(ours[0] / theirs[0]))
            reached = reached and ours[1]
    what = f"seconds of opperf over those of {tool}"
    if not ratios:
        return Figure(what=what, figure=f"{tool} is not installed", target=f"<= {most:g}")
    ratio = exp(fmean(ratios))
    lacking = "" if reached else "; opperf did not get there on every call"
    target, met = (f"<= {most:g}", ratio <= most and reached) if most else ("", None)
    return Figure(what=what, figure=f"{ratio:.3g}{lacking}", target=target, met=met)


TOOLS: Mapping[str, float | None] = {
    "blocked_autorange": AGAINST_BLOCKED,
    "pyperf": AGAINST_PYPERF,
    "adaptive_autorange": None,
}


def run(quick: bool) -> Finding:
    """Try all tools on all calls."""
    installed = importlib.util.find_spec("pyperf") is not None
    found = []
    for number, name in enumerate(CALLS[1:3] if quick else CALLS):
        thorough = [] if quick else [""]
        options = ["--fast", *thorough] if installed and not (quick and number) else []
        found.append(try_all(name, 3 if quick else 10, 6.0 if quick else 60.0, options))
    tools = ("opperf", *TOOLS)
    times = [
        [f.call, microseconds(f.truth), *(shown(f.time_to_precision(t)) for t in tools)]
        for f in found
    ]
    headers = ("call", "tool", "setting", "seconds", "error, median", "error, worst", "within 1 %")
    notes = [] if installed else ["pyperf is not installed: this ran without it"]
    return Finding(
        name="E7",
        title="Time to precision",
        method=METHOD,
        figures=[judge(found, tool, most) for tool, most in TOOLS.items()],
        tables=[
            Table(caption="Seconds to 1 %", headers=("call", "truth", *tools), rows=times),
            Table(caption="All trials", headers=headers, rows=[r for f in found for r in f.rows()]),
        ],
        notes=notes,
    )
