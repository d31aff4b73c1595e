"""How often `opperf bisect` is right, on sessions whose true change is known.

    python benchmarks/bisection_simulated.py --runs 100
    python benchmarks/bisection_simulated.py --calibration --runs 200

A run draws the log ratio of each session about what the commits' true times are, with noise of a
standard deviation of 1.4 % between sessions: normal, Student's t of 3 degrees of freedom, or normal
with one session in ten off by ten times as much. What is measured next, and when there is an
answer, is decided by the search of the verb itself. A fixed bisection takes 12 sessions for each of
its probes, and 12 for both ends. Seeds are fixed: the figures come out the same each time.

The calibration stops runs of steps of 2 % at each session and notes the probability of the
likeliest commit at that moment, and whether it was the right one.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field
from math import ceil, log1p, log2, sqrt
from statistics import mean

import numpy as np

from opperf.commits.bisection.answer import NAMED, RANGE, SAME, answer_of
from opperf.commits.bisection.search import Quest, Search

SPREAD, FIXED = 0.014, 12
SHARES = ((0.5, 0.6), (0.6, 0.7), (0.7, 0.8), (0.8, 0.9), (0.9, 0.95), (0.95, 0.99), (0.99, 1.01))


@dataclass(frozen=True, kw_only=True)
class Case:
    """So many commits, whose changes are at (place, size); a place of 0 is drawn in each run."""

    title: str
    commits: int = 64
    changes: tuple[tuple[int, float], ...] = ((0, 0.05),)
    noise: str = "normal"
    slope: float = 0.0
    own: float = 0.0
    quest: Quest = field(default_factory=Quest)

    def levels(self, random: np.random.Generator) -> tuple[np.ndarray, set[int]]:
        """Return the true log time of each commit, and which commits changed it."""
        levels = np.linspace(0, log1p(self.slope), self.commits + 1)
        places = set()
        for place, size in self.changes:
            at = place or int(random.integers(1, self.commits + 1))
            levels[at:] += log1p(size)
            places.add(at)
        return levels + random.normal(0, self.own, len(levels)) * (self.own > 0), places


FASTER = Quest(direction="any")
SMALL = Quest(min_effect=0.01)
CASES = (
    Case(title="5 %"),
    Case(title="5 %, heavy tails", noise="tails"),
    Case(title="5 %, one session in ten an outlier", noise="outliers"),
    Case(title="5 % faster", changes=((0, -0.05),), quest=FASTER),
    Case(title="10 %", changes=((0, 0.10),)),
    Case(title="3 %", changes=((0, 0.03),)),
    Case(title="5 %, each build off by 0.3 %", own=0.003),
    Case(title="1,000 commits, 2 %", commits=1000, changes=((0, 0.02),), quest=SMALL),
    Case(title="nothing", changes=()),
    Case(title="nothing, heavy tails", changes=(), noise="tails"),
    Case(title="nothing, outliers", changes=(), noise="outliers"),
    Case(title="nothing, either way", changes=(), quest=FASTER),
    Case(title="3 % at 20, 2 % at 45", changes=((20, 0.03), (45, 0.02))),
    Case(title="5 % at 20, gone at 30, again at 45",
         changes=((20, 0.05), (30, 1 / 1.05 - 1), (45, 0.05))),
    Case(title="5 % at 20, gone at 40", changes=((20, 0.05), (40, 1 / 1.05 - 1))),
    Case(title="slope of 5 % over all", changes=(), slope=0.05),
)  # fmt: skip


def draw(noise: str, random: np.random.Generator, spread: float = SPREAD) -> float:
    """Return by how much a session is off."""
    if noise == "tails":
        return float(random.standard_t(3)) * spread / sqrt(3)
    far = noise == "outliers" and random.random() < 0.1
    return float(random.normal(0, 10 * spread if far else spread))


@dataclass(frozen=True, kw_only=True)
class Run:
    """A bisection, its answer, and the commits that truly changed the time."""

    search: Search
    places: set[int]
    moments: list[tuple[float, bool]]

    @property
    def kind(self) -> str:
        """What kind of answer it has."""
        return answer_of(self.search).kind

    @property
    def named(self) -> int | None:
        """The commit that was named."""
        answer = answer_of(self.search)
        return answer.span[1] if answer.kind == NAMED and answer.span else None

    @property
    def is_right(self) -> bool:
        """Whether the commit that was named is one that changed the time."""
        return self.named in self.places


def simulate(case: Case, seed: int, *, noting: bool = False) -> Run:
    """Carry one bisection out."""
    random = np.random.default_rng([27, seed])
    levels, places = case.levels(random)
    search = Search(count=case.commits, quest=case.quest)
    moments = []
    while probe := search.next():
        low, high = probe.span
        search.add(probe.span, float(levels[high] - levels[low]) + draw(case.noise, random))
        if noting and search.differ():
            posterior = search.posterior()
            (_, at), mass = search.likeliest(posterior)
            moments.append((mass * (1 - posterior.none), at in places))
    return Run(search=search, places=places, moments=moments)


def measure(case: Case, runs: int) -> str:
    """Return what so many runs of a case come to, as a row of a table."""
    made = [simulate(case, seed) for seed in range(runs)]
    kinds = [run.kind for run in made]
    sessions = mean(run.search.sessions for run in made)
    fixed = FIXED * (ceil(log2(case.commits)) + 1)
    built = mean(len({at for span in run.search.contrasts for at in span}) for run in made)
    counts = [sum(run.is_right for run in made), kinds.count(NAMED), kinds.count(SAME)]
    counts += [kinds.count(RANGE), runs - sum(map(kinds.count, (NAMED, SAME, RANGE)))]
    cells = [case.title, *counts, f"{sessions:.1f}", f"{sessions / fixed:.0%}", f"{built:.1f}"]
    return f"| {' | '.join(map(str, cells))} |"


def calibrate(runs: int) -> None:
    """Print how often the likeliest commit was right, by the probability that was stated."""
    print("| stated | " + "normal | tails | outliers" + " |\n|---|---|---|---|")
    columns = []
    for noise in ("normal", "tails", "outliers"):
        case = Case(title=noise, changes=((0, 0.02),), noise=noise, quest=SMALL)
        moments = [one for seed in range(runs) for one in simulate(case, seed, noting=True).moments]
        columns.append(moments)
    for low, high in SHARES:
        cells = [f"{low:.2f} to {min(high, 1):.2f}"]
        for moments in columns:
            inside = [right for stated, right in moments if low <= stated < high]
            cells.append(f"{mean(inside):.3f} of {len(inside)}" if inside else "none")
        print(f"| {' | '.join(cells)} |", flush=True)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--calibration", action="store_true")
    parser.add_argument("--only", default="", help="cases whose title holds this")
    arguments = parser.parse_args()
    if arguments.calibration:
        calibrate(arguments.runs)
        return
    heads = ["true change", "right", "named", "no change", "range", "undecided"]
    heads += ["sessions", "of fixed", "built"]
    print(f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
    for case in CASES:
        if arguments.only in case.title:
            print(measure(case, arguments.runs), flush=True)


if __name__ == "__main__":
    main()
