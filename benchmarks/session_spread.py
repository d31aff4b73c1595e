"""How far two fresh processes differ that time the same code, operator by operator.

Run: ``.venv/bin/python benchmarks/session_spread.py --framework pytorch --pairs 30``

Two children of the same settings measure each operator in turns, block by block (ABBA, BAAB), on
the same core and with the same number of iterations; the other one waits on its pipe meanwhile. A
pair of processes yields one ratio an operator, the median of its blocks' ratios. The standard
deviation of the ratios' logarithms over the pairs holds both what the processes differ by and what
disturbed the blocks. The spread between the processes is what the medians of every other block and
of those between them have in common: the root of their covariance over the pairs. `--setting` names
what the children's allocation is set up with; several are compared in turns. With `places` both of
a pair are one process, whose inputs and outputs lie in two places of its memory; with `same` they
lie in one, and what is left is what the method itself is off by. It is a development tool: it
checks no output.
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
from functools import partial
from math import ceil, sqrt
from pathlib import Path
from statistics import covariance, median, stdev
from typing import TYPE_CHECKING, Any

import numpy as np

from opperf.core.configuration.settings import Settings
from opperf.core.frameworks.registry import find_framework
from opperf.core.machine.affinity import pin
from opperf.core.memory.heap import holes_filled, touch_heap
from opperf.core.memory.layout import fixed_layout
from opperf.core.timing.measure import without_collector
from opperf.core.timing.warming import calibrate
from opperf.declaring.registry import operators
from opperf.measuring.attempt import Attempt
from opperf.measuring.worker.variables import ALLOCATION, PASSIVE, PIPED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from opperf.core.frameworks.framework import Framework
    from opperf.core.frameworks.workload import Work

KEEP = "glibc.malloc.mmap_threshold=1073741824:glibc.malloc.trim_threshold=4294967296"
ARENA = f"{KEEP}:glibc.malloc.arena_max=1"
HUGE = f"{ARENA}:glibc.malloc.hugetlb=1"
SETTINGS: dict[str, dict[str, str]] = {
    "default": {},
    "keep": {"GLIBC_TUNABLES": KEEP},
    "arena": {"GLIBC_TUNABLES": ARENA},
    "huge": {"GLIBC_TUNABLES": HUGE},
    "default-fixed": {},
    "arena-fixed": {"GLIBC_TUNABLES": ARENA},
    "opperf": ALLOCATION,
    "places": ALLOCATION,
    "same": ALLOCATION,
}
"""What a child inherits: `opperf`, `places` and `same` what opperf itself sets."""
ONE_PROCESS = ("places", "same")
OPPERF = ("opperf", *ONE_PROCESS)
FIXED = ("default-fixed", "arena-fixed", *OPPERF)
"""The children lie at fixed addresses."""
APART = 32 * 2**20
"""Bytes between the outputs in two places of a process."""
BLOCK = 3e-3
"""Seconds of a block: of 1 ms, most of a pair's time went into warming up."""
WARM_SECONDS, WASH_IN = 0.02, 3
ORDERS = ("abba", "baab")
FEWEST_PAIRS = 12
TARGETS = (0.015, 0.03)

Found = tuple[float, float, float]
"""The median logarithm of the ratio: of all blocks, of every other, and of those between them."""
Ratios = dict[str, dict[str, list[Found]]]
"""By setting and job, for each pair of processes."""


def main(arguments: Sequence[str]) -> None:
    """Measure and print the spread of each operator, by setting."""
    chosen = parser().parse_args(arguments)
    if chosen.child:
        apart = APART if chosen.setting == "places" else 0
        placing = chosen.setting in OPPERF
        serve(find_framework(chosen.framework), sys.stdin, placing=placing, apart=apart)
        return
    from experiments.hundred import NAMES  # not in a child, which has a search path of its own

    names = [name.strip() for name in (chosen.names or NAMES).split(",")]
    jobs = [f"{name} {size}" for name in names for size in chosen.sizes.split(",")]
    ratios: Ratios = defaultdict(lambda: defaultdict(list))
    began = time.monotonic()
    for pair in range(chosen.pairs):
        for setting in chosen.setting.split(","):
            order = random.Random(pair).sample(jobs, len(jobs))  # noqa: S311 - no secret
            for job, found in measure_pair(chosen.framework, setting, order, chosen.seconds, pair):
                ratios[setting][job].append(found)
        print(f"pair {pair + 1}: {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
        if chosen.output:
            chosen.output.write_text(json.dumps(ratios))
    for setting, found in ratios.items():
        report(setting, found)


def parser() -> argparse.ArgumentParser:
    """Return what the command understands."""
    made = argparse.ArgumentParser(description="the spread between fresh processes")
    made.add_argument("--framework", default="pytorch")
    made.add_argument("--pairs", type=int, default=30)
    made.add_argument("--seconds", type=float, default=0.2, help="of blocks, an operator and pair")
    made.add_argument("--names", default="", help="operators, by default a hundred")
    made.add_argument("--sizes", default="small,typical")
    made.add_argument("--setting", default="opperf", help=", ".join(SETTINGS))
    made.add_argument("--output", type=Path, help="where the ratios go, as JSON")
    made.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    return made


def measure_pair(
    framework: str, setting: str, jobs: Sequence[str], seconds: float, seed: int
) -> Iterator[tuple[str, Found]]:
    """Yield what two fresh processes differ by in each job that both can do."""
    coin = random.Random(seed)  # noqa: S311 - no secret
    with ExitStack() as ending:
        children = [
            ending.enter_context(closing(Child(framework, setting, seed)))
            for _ in range(1 if setting in ONE_PROCESS else 2)
        ]
        arms = {
            "a": partial(children[0].ask, "a"),
            "b": partial(children[-1].ask, "a" if setting == "same" else "b"),
        }
        for job in jobs:
            iterations = [ask(job) for ask in arms.values()]
            if None in iterations:
                continue
            times: dict[str, list[float]] = {"a": [], "b": []}
            deadline = time.monotonic() + seconds
            while len(times["a"]) < FEWEST_PAIRS or time.monotonic() < deadline:
                for arm in coin.choice(ORDERS):
                    times[arm].append(arms[arm](str(max(iterations))))
            yield job, ratio_of(times["a"], times["b"])


def ratio_of(a: Sequence[float], b: Sequence[float]) -> Found:
    """Return the median logarithm of the ratios of paired blocks, of all and of either half."""
    ratios = np.log(np.divide(b, a))
    every, even, odd = (float(np.median(part)) for part in (ratios, ratios[::2], ratios[1::2]))
    return every, even, odd


class Child:
    """A process that prepares an operator when told to, and times a block when told to."""

    def __init__(self, framework: str, setting: str, seed: int) -> None:
        found = find_framework(framework)
        own = {**PASSIVE, **PIPED, **found.environment(1), **found.placing}
        seeded = {"PYTHONHASHSEED": str(seed)}
        environ = {**os.environ, **own, **SETTINGS[setting], **seeded}
        command = [sys.executable, __file__, "--child", "--framework", framework]
        command += ["--setting", setting]
        with fixed_layout() if setting in FIXED else nullcontext():
            self.process = subprocess.Popen(
                command, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )

    def close(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.wait()

    def ask(self, arm: str, line: str) -> Any:
        """Send a line for one of the pair and return the JSON that comes back."""
        requests, answers = self.process.stdin, self.process.stdout
        if requests is None or answers is None:
            raise RuntimeError("the child has no pipes")
        requests.write(f"{arm} {line}\n")
        requests.flush()
        while not (answer := answers.readline()).startswith("="):
            if not answer:
                raise RuntimeError(f"the child ended over {line!r}")
        return json.loads(answer[1:])


def serve(framework: Framework, requests: Iterable[str], *, placing: bool, apart: int) -> None:
    """Prepare ("a Add small") and time ("a" and a number of iterations) as told, line by line.

    The outputs of "b" lie so many bytes apart from those of "a".
    """
    pin(1)
    if placing:
        touch_heap()
    framework.load(1)
    works: dict[str, Work | None] = {}
    prepared = ""
    with without_collector(), ExitStack() as placed:
        for line in requests:
            arm, _, rest = line.strip().partition(" ")
            name, _, size = rest.partition(" ")
            answer: float | None = None
            if size:
                placed.close()
                if rest != prepared:
                    works, prepared = {}, rest  # the last operator's tensors go first
                works[arm], answer = make_ready(framework, name, size)
                if placing:
                    placed.enter_context(holes_filled())
            elif (work := works.get(arm)) is not None:
                with work.context():
                    between = np.empty(apart if arm == "b" else 0, np.uint8)
                    work.time(WASH_IN)
                    answer = work.time(int(name))
                    del between
            print(f"={json.dumps(answer)}", flush=True)


def make_ready(framework: Framework, name: str, size: str) -> tuple[Work | None, int | None]:
    """Return the warm forward of an operator and the iterations of a block, if it can be done."""
    attempt = Attempt(operators()[name](size=size), framework, "cpu", Settings())
    try:
        work = attempt.workload(attempt.operator.variants()[-1]).works["forward"]()
        with work.context():
            _, call = calibrate(work)
            began = time.perf_counter()
            while time.perf_counter() - began < WARM_SECONDS:
                work.time(1)
    except Exception:  # noqa: BLE001 - whatever a framework raises, it cannot be measured
        return None, None
    return work, min(ceil(BLOCK / call), work.limit)


def report(setting: str, ratios: Mapping[str, Sequence[Found]]) -> None:
    """Print the spread of each operator and how many keep within the targets."""
    raw: dict[str, float] = {}
    between: dict[str, float] = {}
    for job, found in ratios.items():
        if len(found) > 1:
            every, even, odd = zip(*found, strict=True)
            raw[job], between[job] = stdev(every), sqrt(max(covariance(even, odd), 0))
    for job, spread in sorted(between.items(), key=lambda item: item[1]):
        print(f"  {setting} {job:40s} sd {raw[job]:6.2%}  between processes {spread:6.2%}")
    for name, spreads in (("sd", raw), ("between processes", between)):
        shares = (
            f"<= {target:.1%} for {sum(sd <= target for sd in spreads.values()) / len(spreads):.0%}"
            for target in TARGETS
        )
        middle = median(spreads.values())
        print(f"{setting}, {len(spreads)} jobs, {name}: {', '.join(shares)}, median {middle:.2%}")


if __name__ == "__main__":
    main(sys.argv[1:])
