"""What each setting of the measuring process shifts an operator's time by, not only its spread.

Run: ``.venv/bin/python benchmarks/environment_shift.py --framework pytorch --minutes 7``

A user's own process has none of the settings, opperf's children have all. Here one process a step
of the way from the former to the latter measures each operator, in an order drawn anew for each;
each step adds one setting to those before it. The first step is there twice, as a control. With
fresh processes that is done again until the time is over. A setting's shift of an operator is the
median over the rounds of the logarithm of its step's time over that of the step before. Printed are
the median over the operators with its 95 % interval, the share of them that is within 2 %, and the
ones that are shifted most. It is a development tool: it checks no output.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import time
from collections import defaultdict
from contextlib import ExitStack, closing, nullcontext
from dataclasses import dataclass, replace
from itertools import pairwise
from math import exp
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np

from opperf.core.configuration.settings import Settings
from opperf.core.frameworks.registry import find_framework
from opperf.core.machine.affinity import pin
from opperf.core.memory.heap import holes_filled, touch_heap
from opperf.core.memory.layout import fixed_layout
from opperf.core.statistics.summary import median_interval, summarize
from opperf.core.timing.measure import measure
from opperf.declaring.registry import operators
from opperf.measuring.attempt import Attempt
from opperf.measuring.worker.variables import PASSIVE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from opperf.core.frameworks.framework import Framework
    from opperf.core.frameworks.workload import Work

KEPT = "glibc.malloc.mmap_threshold=1073741824:glibc.malloc.trim_threshold=4294967296"
BUDGET = 0.04
SLOWEST = 0.02
"""Seconds of a call beyond which an operator is left out: it would take the time of many others."""
CLOSE, SHOWN = 0.02, 4


@dataclass(frozen=True, kw_only=True)
class Step:
    """What a child has of the settings; `cores` are those that it is kept to, all by default."""

    name: str = "plain"
    variables: tuple[tuple[str, str], ...] = ()
    tunables: str = ""
    cores: int | None = None
    touched: bool = False
    holes: bool = False
    fixed: bool = False


def ladder(framework: Framework, threads: int) -> list[Step]:
    """Return the steps from a user's process to one of opperf's, each with one setting more."""
    steps = [Step(), Step(name="plain again")]

    def then(name: str, **added: Any) -> None:
        steps.append(replace(steps[-1], name=name, **added))

    then("kept to its cores", cores=threads + framework.threads_beside)
    then("passive waiting", variables=tuple(PASSIVE.items()))
    then("freed memory is kept", tunables=KEPT)
    then("one arena", tunables=f"{KEPT}:glibc.malloc.arena_max=1")
    then("huge pages", tunables=f"{steps[-1].tunables}:glibc.malloc.hugetlb=1")
    then("heap touched", touched=True)
    if framework.placing:
        then("whole pages", variables=(*steps[-1].variables, *framework.placing.items()))
    then("holes held", holes=True)
    then("fixed addresses", fixed=True)
    steps.append(replace(steps[0], name="one core", cores=1))
    return steps


def main(arguments: Sequence[str]) -> None:
    """Measure and print what each step adds."""
    chosen = parser().parse_args(arguments)
    framework = find_framework(chosen.framework)
    steps = {step.name: step for step in ladder(framework, chosen.threads)}
    if chosen.child:
        serve(framework, chosen, steps[chosen.child], sys.stdin)
        return
    from experiments.hundred import NAMES  # not in a child, which has a search path of its own

    names = [name.strip() for name in (chosen.names or NAMES).split(",")]
    asked = chosen.steps.split(",") if chosen.steps else [*steps][:-1]
    deadline = time.monotonic() + chosen.minutes * 60
    times: dict[str, list[dict[str, float]]] = defaultdict(list)
    for number in range(chosen.rounds):
        one_round([steps[name] for name in asked], chosen, names, times, deadline)
        print(f"round {number + 1} ended", file=sys.stderr, flush=True)
        if chosen.output:
            chosen.output.write_text(json.dumps(times))
        if time.monotonic() > deadline:
            break
    report(asked, times)


def parser() -> argparse.ArgumentParser:
    """Return what the command understands."""
    made = argparse.ArgumentParser(description="what each setting shifts")
    made.add_argument("--framework", default="pytorch")
    made.add_argument("--threads", type=int, default=1)
    made.add_argument("--minutes", type=float, default=7.0)
    made.add_argument("--rounds", type=int, default=1000, help="at most, of fresh processes")
    made.add_argument("--names", default="", help="operators, by default a hundred")
    made.add_argument("--size", default="typical")
    made.add_argument("--steps", default="", help="each is compared with the one before it")
    made.add_argument("--output", type=Path, help="where the times go, as JSON")
    made.add_argument("--child", default="", help=argparse.SUPPRESS)
    return made


def one_round(
    steps: Sequence[Step],
    chosen: argparse.Namespace,
    names: Sequence[str],
    times: dict[str, list[dict[str, float]]],
    deadline: float,
) -> None:
    """Have fresh processes measure each operator; append the seconds by step to its times."""
    with ExitStack() as ending:
        children = {step.name: ending.enter_context(closing(Child(step, chosen))) for step in steps}
        for name in random.sample(names, len(names)):
            if time.monotonic() > deadline:
                return
            found: dict[str, float] = {}
            for step in random.sample([*children], len(children)):
                seconds = children[step].ask(name)
                if seconds is None:
                    break
                found[step] = seconds
            if len(found) == len(steps):
                times[name].append(found)


class Child:
    """A process that measures an operator when told its name."""

    def __init__(self, step: Step, chosen: argparse.Namespace) -> None:
        own = find_framework(chosen.framework).environment(chosen.threads)
        environ = {**os.environ, **own, **dict(step.variables)}
        if step.tunables:
            environ["GLIBC_TUNABLES"] = step.tunables
        command = [sys.executable, __file__, "--framework", chosen.framework, "--size", chosen.size]
        command += ["--threads", str(chosen.threads), "--child", step.name]
        with fixed_layout() if step.fixed else nullcontext():
            self.process = subprocess.Popen(
                command, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )

    def close(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.wait()

    def ask(self, name: str) -> float | None:
        """Return the seconds of an operator's call, None where it cannot be measured."""
        requests, answers = self.process.stdin, self.process.stdout
        if requests is None or answers is None:
            raise RuntimeError("the child has no pipes")
        requests.write(f"{name}\n")
        requests.flush()
        while not (answer := answers.readline()).startswith("="):
            if not answer:
                raise RuntimeError(f"the child ended over {name!r}")
        found: float | None = json.loads(answer[1:])
        return found


def serve(
    framework: Framework, chosen: argparse.Namespace, step: Step, requests: Iterable[str]
) -> None:
    """Measure each operator named, one a line."""
    if step.touched:
        touch_heap()
    if step.cores:
        pin(step.cores)
    framework.load(chosen.threads)
    for line in requests:
        try:
            found = seconds_of(work_of(framework, line.strip(), chosen), step)
        except Exception:  # noqa: BLE001 - whatever a framework raises, it cannot be measured
            found = None
        print(f"={json.dumps(found)}", flush=True)


def work_of(framework: Framework, name: str, chosen: argparse.Namespace) -> Work:
    """Return an operator's forward."""
    settings = Settings(threads=chosen.threads)
    attempt = Attempt(operators()[name](size=chosen.size), framework, "cpu", settings)
    return attempt.workload(attempt.operator.variants()[-1]).works["forward"]()


def seconds_of(work: Work, step: Step) -> float | None:
    """Return the seconds of a call, None where it is too slow, or lost in what disturbed it."""
    with work.context():
        work.time(1)
        first_call = work.time(1)
    if first_call > SLOWEST:
        return None
    settings = Settings(budget=BUDGET)
    with holes_filled() if step.holes else nullcontext():
        found = summarize(measure(work, settings, first_call=first_call).times()).median
    return found if found > 0 else None


def report(steps: Sequence[str], times: dict[str, list[dict[str, float]]]) -> None:
    """Print each step against the one before it, then the last against the first."""
    rounds = [len(found) for found in times.values()]
    print(f"{len(times)} operators, {min(rounds, default=0)} to {max(rounds, default=0)} rounds")
    print("| setting | median shift | its interval | within 2 % | shifted most |")
    print("|---|---|---|---|---|")
    pairs = [*pairwise(steps), (steps[0], steps[-1])]
    for before, after in pairs:
        shifts = {
            name: median(np.log(row[after] / row[before]) for row in rows)
            for name, rows in times.items()
        }
        print(line_of(after if (before, after) != pairs[-1] else f"{after} / {before}", shifts))


def line_of(name: str, shifts: dict[str, float]) -> str:
    """Return a line of the table."""
    values = np.array([*shifts.values()])
    interval = median_interval(values) or (float(min(values)), float(max(values)))
    within = float(np.mean(np.abs(values) <= CLOSE))
    most = sorted(shifts, key=lambda one: -abs(shifts[one]))[:SHOWN]
    shown = ", ".join(f"{one} {percent(shifts[one])}" for one in most)
    ends = " to ".join(percent(end) for end in interval)
    return f"| {name} | {percent(float(np.median(values)))} | {ends} | {within:.0%} | {shown} |"


def percent(logarithm: float) -> str:
    """Return what a logarithm of a ratio is in per cent."""
    return f"{exp(logarithm) - 1:+.1%}"


if __name__ == "__main__":
    main(sys.argv[1:])
