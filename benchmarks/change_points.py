"""Change points beside a plain threshold and Apache Otava, on series whose steps are known.

    python -m venv /tmp/otava && /tmp/otava/bin/pip install apache-otava
    python benchmarks/change_points.py --otava /tmp/otava/bin/python

A thousand series of a year of daily medians: none, one or two steps of 2, 5 or 10 %, up or down, at
least 40 days apart and 20 from the ends, in normal noise of 1 or 3 %, with and without three spikes
of 10 to 65 % a series. A change counts as found within so many days of its step. The plain
threshold is that of many dashboards: the median of seven days against that of the seven before.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import time
from dataclasses import dataclass
from statistics import median

import numpy as np

from opperf.history.detection import find_splits

DAYS, ENDS, APART = 365, 20, 40
STEPS, NOISES = (0.02, 0.05, 0.10), (0.01, 0.03)
SPIKES = 3
WEEK, PLAIN = 7, 0.05
NEAR = (5, 15)
SCRIPT = """\
import json, sys
from otava.analysis import compute_change_points

series = json.load(sys.stdin)
found = [[int(point.index) for point in compute_change_points(one)[0]] for one in series]
json.dump(found, sys.stdout)
"""


@dataclass(frozen=True)
class Case:
    """A series and the days of its steps, with what they are."""

    times: list[float]
    steps: dict[int, float]
    noise: float


def make_cases(count: int, *, spikes: bool) -> list[Case]:
    """Return series, the same each time."""
    chance = np.random.default_rng(7)
    return [make_case(chance, NOISES[number % 2], spikes=spikes) for number in range(count)]


def make_case(chance: np.random.Generator, noise: float, *, spikes: bool) -> Case:
    """Return one series."""
    logs = chance.normal(0, noise, DAYS)
    steps: dict[int, float] = {}
    for day in chance.integers(ENDS, DAYS - ENDS, chance.integers(0, 3)).tolist():
        if all(abs(day - other) >= APART for other in steps):
            steps[day] = float(chance.choice(STEPS) * chance.choice([-1, 1]))
            logs[day:] += np.log1p(steps[day])
    if spikes:
        logs[chance.choice(DAYS, SPIKES, replace=False)] += chance.uniform(0.1, 0.5, SPIKES)
    return Case((1e-3 * np.exp(logs)).tolist(), steps, noise)


def plain(times: list[float]) -> list[int]:
    """Return where a week's median differs from the one before by more than the threshold."""
    found: list[int] = []
    for day in range(WEEK, len(times) - WEEK + 1):
        ratio = median(times[day : day + WEEK]) / median(times[day - WEEK : day])
        if abs(ratio - 1) > PLAIN and (not found or day - found[-1] > WEEK):
            found.append(day)
    return found


def otava(python: str, cases: list[Case]) -> list[list[int]]:
    """Return what Apache Otava finds at its defaults."""
    series = json.dumps([case.times for case in cases])
    command = [python, "-c", SCRIPT]
    said = subprocess.run(command, input=series, check=True, capture_output=True, text=True)
    return json.loads(said.stdout)  # type: ignore[no-any-return]


def score(cases: list[Case], found: list[list[int]], near: int) -> tuple[int, int, int]:
    """Return how many steps were found, how many were not, and how many findings were none."""
    hits = false = steps = 0
    for case, days in zip(cases, found, strict=True):
        left = set(days)
        steps += len(case.steps)
        for step in case.steps:
            close = [day for day in left if abs(day - step) <= near]
            if close:
                left.remove(min(close, key=lambda day: abs(day - step)))
                hits += 1
        false += len(left)
    return hits, steps - hits, false


def report(name: str, cases: list[Case], found: list[list[int]]) -> None:
    """Print precision and recall, overall and recall by size and noise."""
    for near in NEAR:
        hits, missed, false = score(cases, found, near)
        precision, recall = hits / max(hits + false, 1), hits / (hits + missed)
        figures = f"{precision:.3f} | {recall:.3f} | {false}"
        print(f"| {name} | {near} | {figures} | {parts(cases, found, near)} |", flush=True)


def parts(cases: list[Case], found: list[list[int]], near: int) -> str:
    """Return the recall by noise and size of the step."""
    shares = []
    for noise in NOISES:
        for size in STEPS:
            hits = steps = 0
            for case, days in zip(cases, found, strict=True):
                if case.noise == noise:
                    wanted = [day for day, step in case.steps.items() if abs(step) == size]
                    steps += len(wanted)
                    hits += sum(any(abs(day - at) <= near for day in days) for at in wanted)
            shares.append(f"{hits / max(steps, 1):.2f}")
    return " ".join(shares)


def main() -> None:
    """Compare, and print a table for each kind of series."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--series", type=int, default=1000)
    parser.add_argument("--otava", metavar="PYTHON", help="of an environment with apache-otava")
    arguments = parser.parse_args()
    for spikes in (False, True):
        cases = make_cases(arguments.series, spikes=spikes)
        steps = sum(len(case.steps) for case in cases)
        print(f"\n{len(cases)} series, {steps} steps, {SPIKES if spikes else 0} spikes a series\n")
        print("| method | days | precision | recall | false | recall at 1 %: 2 5 10 %; at 3 % |")
        print("|---|---|---|---|---|---|")
        began = time.process_time()
        ours = [[split.index for split in find_splits(case.times)] for case in cases]
        seconds = (time.process_time() - began) / len(cases)
        report("opperf", cases, ours)
        report("plain", cases, [plain(case.times) for case in cases])
        if arguments.otava:
            report("otava", cases, otava(arguments.otava, cases))
        print(f"\nopperf: {1000 * seconds:.1f} ms of processor time a series")


if __name__ == "__main__":
    main()
