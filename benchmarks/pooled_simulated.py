"""How often a change pooled over hosts, and its cause, are right where the truth is known.

    python benchmarks/pooled_simulated.py --runs 2000 --fleets 200

Coverage: each of 1 to 20 hosts has 12 sessions before a change and 3 or 12 after it, whose
logarithms have a standard deviation of 1.4 % (normal, or Student's t of 3 degrees of freedom scaled
to that); the hosts' own ratios have one of tau. It is the share of 95 % intervals that hold the
true ratio: opperf's, and DerSimonian and Laird's beside it.

Fleets: 2 or 5 hosts run the 20 operators of the calibration set in two frameworks and 10 others
daily, 40 days before something happens and 12 after it. Half of the variance is common to all
operators of a session. Each change that a host shows is given its cause; counted are fleets in
which any operator is called so. Seeds are fixed: the figures come out the same each time.
"""

from __future__ import annotations

import argparse
from collections import Counter
from math import log, log1p, sqrt
from statistics import mean

import numpy as np

from opperf.core.calibration import CALIBRATION
from opperf.history.cause import HostEvidence, cause_of
from opperf.history.model import Point
from opperf.history.pooling import HostEstimate, pool
from opperf.history.shift import CalibrationStep, HostShift, shift_of
from opperf.history.steps import HostSeries

SPREAD = 0.014
DAY = 24 * 3600 * 1000
BEFORE, AFTER, OTHERS = 40, 12, 10
FRAMEWORKS = ("mxnet", "pytorch")


def draw(random: np.random.Generator, noise: str, size: int) -> np.ndarray:
    """Return noise of the standard deviation of sessions."""
    if noise == "normal":
        return random.normal(0, SPREAD, size)
    return random.standard_t(3, size) * SPREAD / sqrt(3)


def estimate(random: np.random.Generator, noise: str, after: int, ratio: float) -> HostEstimate:
    """Return what a host with 12 sessions before and some after a change says of it."""
    left, right = draw(random, noise, 12), draw(random, noise, after) + ratio
    freedom = len(left) + len(right) - 2
    squares = ((left - left.mean()) ** 2).sum() + ((right - right.mean()) ** 2).sum()
    error = sqrt(squares / freedom * (1 / len(left) + 1 / len(right)))
    step = float(right.mean() - left.mean())
    return HostEstimate(log_ratio=step, error=error, freedom=freedom)


def dersimonian_laird(estimates: list[HostEstimate]) -> tuple[float, float]:
    """Return the interval that takes tau for known."""
    values = np.array([one.log_ratio for one in estimates])
    weights = np.array([one.error**-2 for one in estimates])
    middle = (weights * values).sum() / weights.sum()
    excess = (weights * (values - middle) ** 2).sum() - (len(values) - 1)
    scale = weights.sum() - (weights**2).sum() / weights.sum()
    weights = 1 / (1 / weights + max(excess / scale, 0.0))
    middle, half = (weights * values).sum() / weights.sum(), 1.96 / sqrt(weights.sum())
    return float(middle - half), float(middle + half)


def print_coverage(runs: int) -> None:
    """Print the share of intervals that hold the truth, and the median half-width in per cent."""
    print("| noise | sessions after | tau | hosts | opperf | half-width | DL | half-width |")
    print("|---|---|---|---|---|---|---|---|")
    truth = log1p(0.05)
    for noise in ("normal", "tails"):
        for after in (3, 12):
            for tau in (0.0, 0.005, 0.02):
                for hosts in (1, 2, 3, 5, 20):
                    random = np.random.default_rng([hosts, after, round(1000 * tau)])
                    ours, theirs, widths = [], [], ([], [])
                    for _ in range(runs):
                        true = random.normal(truth, tau, hosts)
                        found = [estimate(random, noise, after, one) for one in true]
                        low, high = map(log, pool(found).interval)
                        ours.append(low <= truth <= high)
                        widths[0].append((high - low) / 2)
                        if hosts > 1:
                            low, high = dersimonian_laird(found)
                            theirs.append(low <= truth <= high)
                            widths[1].append((high - low) / 2)
                    other = (
                        f"{mean(theirs):.3f} | {np.median(widths[1]):.2%}" if theirs else "- | -"
                    )
                    print(f"| {noise} | {after} | {tau:.1%} | {hosts} | {mean(ours):.3f} | "
                          f"{np.median(widths[0]):.2%} | {other} |", flush=True)  # fmt: skip


class SimulatedFleet:
    """The series of a fleet: points by host and by (operator, framework)."""

    def __init__(self, random: np.random.Generator, hosts: int, noise: str) -> None:
        self.random, self.noise = random, noise
        self.days = BEFORE + AFTER
        names = [*sorted(CALIBRATION), *(f"other{place}" for place in range(OTHERS))]
        self.subjects = [(name, framework) for name in names for framework in FRAMEWORKS]
        self.hosts = [f"h{place}" for place in range(hosts)]
        self.logs = {host: self.sessions() for host in self.hosts}

    def sessions(self) -> dict[tuple[str, str], np.ndarray]:
        """Return a host's logarithms: half of the variance is common to all of a session."""
        common = draw(self.random, self.noise, self.days) * sqrt(0.5)
        return {
            subject: common + draw(self.random, self.noise, self.days) * sqrt(0.5)
            for subject in self.subjects
        }

    def series(self, host: str, subject: tuple[str, str]) -> HostSeries:
        """Return a series."""
        times = 1e-3 * np.exp(self.logs[host][subject])
        return HostSeries([Point(at=(day + 1) * DAY, value=one) for day, one in enumerate(times)])

    def causes(self) -> Counter[tuple[str, bool]]:
        """Return how many changes have which cause, those of the changed operator by themselves."""
        all_series = {
            host: {subject: self.series(host, subject) for subject in self.subjects}
            for host in self.hosts
        }
        found: Counter[tuple[str, bool]] = Counter()
        shifts: dict[tuple[str, int], HostShift] = {}
        for host, own in all_series.items():
            for subject, series in own.items():
                for change in series.changes:
                    verdict = cause_at(all_series, shifts, host, subject, change.at)
                    found[verdict, subject[0] == "other0"] += 1
        return found


def cause_at(
    fleet: dict[str, dict[tuple[str, str], HostSeries]],
    known: dict[tuple[str, int], HostShift],
    host: str,
    subject: tuple[str, str],
    at: int,
) -> str:
    """Return the cause of a change as the verb finds it; `known` shifts are remembered."""
    found = {one: own[subject].step_at(at) for one, own in fleet.items()}
    steps = {one: step for one, step in found.items() if step is not None}
    if host not in steps:
        return "undecided"
    for one in steps:
        if (one, at) not in known:
            known[one, at] = shift_at(fleet[one], at)
    shifts = {one: known[one, at] for one in steps}
    return cause_of(HostEvidence(host=host, steps=steps, shifts=shifts)).verdict


def shift_at(series: dict[tuple[str, str], HostSeries], at: int) -> HostShift:
    """Return what a host's calibration set says."""
    found = {key: one.step_at(at) for key, one in series.items() if key[0] in CALIBRATION}
    return shift_of([CalibrationStep(*key, step) for key, step in found.items() if step])


def change_code(fleet: SimulatedFleet) -> None:
    """Make one operator 5 % slower on all hosts."""
    for host in fleet.hosts:
        fleet.logs[host]["other0", "mxnet"][BEFORE:] += log1p(0.05)


def step_host(fleet: SimulatedFleet, size: float = 0.06) -> None:
    """Make the first host slower in all operators, by more or less 6 %."""
    for logs in fleet.logs["h0"].values():
        logs[BEFORE:] += log1p(size) * fleet.random.uniform(0.5, 1.5)


def drift_host(fleet: SimulatedFleet) -> None:
    """Make the first host slower by 6 % in 20 days."""
    ramp = np.clip((np.arange(fleet.days) - BEFORE + 10) / 20, 0, 1)
    for logs in fleet.logs["h0"].values():
        logs[:] += log1p(0.06) * ramp * fleet.random.uniform(0.5, 1.5)


def do_both(fleet: SimulatedFleet) -> None:
    """Let both happen on one day."""
    change_code(fleet)
    step_host(fleet)


def do_nothing(fleet: SimulatedFleet) -> None:
    """Leave the noise alone."""


def print_causes(fleets: int) -> None:
    """Print in which share of the fleets changes have which cause."""
    print("| what happens | noise | hosts | code, of the operator | code, of another | host | "
          "undecided |\n|---|---|---|---|---|---|---|")  # fmt: skip
    cases = (do_nothing, change_code, step_host, drift_host, do_both)
    for happens in cases:
        for noise in ("normal", "tails"):
            for hosts in (2, 5):
                seen: Counter[str] = Counter()
                for place in range(fleets):
                    fleet = SimulatedFleet(np.random.default_rng([7, place]), hosts, noise)
                    happens(fleet)
                    found = fleet.causes()
                    seen["own"] += found["code", True] > 0
                    seen["other"] += found["code", False] > 0
                    seen["host"] += found["host", False] > 0
                    seen["undecided"] += found["undecided", False] + found["undecided", True] > 0
                cells = " | ".join(
                    f"{seen[name] / fleets:.1%}" for name in ("own", "other", "host", "undecided")
                )
                title = (happens.__doc__ or "").split(".")[0]
                print(f"| {title} | {noise} | {hosts} | {cells} |", flush=True)


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2000, help="pooled changes a row, 0: none")
    parser.add_argument("--fleets", type=int, default=200, help="fleets a row, 0: none")
    arguments = parser.parse_args()
    if arguments.runs:
        print_coverage(arguments.runs)
        print()
    if arguments.fleets:
        print_causes(arguments.fleets)


if __name__ == "__main__":
    main()
