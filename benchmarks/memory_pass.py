"""What the memory pass adds to a run: the same operators with it and without, in turns.

Run: ``.venv/bin/python benchmarks/memory_pass.py --framework pytorch``

Each run is one of `opperf run`: children that start together, a plan, every result handed on; with
the memory pass there are its children as well. Runs follow each other as ABBA, so that a neighbor
who comes and goes falls on both. It is a development tool: nothing is saved.
"""

from __future__ import annotations

import argparse
import sys
import time
from itertools import pairwise
from statistics import mean
from typing import TYPE_CHECKING

from experiments.quiet import listen, slow

from opperf.measuring.campaign import Campaign
from opperf.planning.companions import plan_run
from opperf.planning.selection import Selection

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.planning.task import Task

TURNS = (True, False, False, True)
FILTER = "tag=core and direction in (forward, backward, forward_backward)"


def main(arguments: Sequence[str]) -> None:
    """Run them in turns and print what each took, and what the memory pass adds."""
    chosen = parser().parse_args(arguments)
    tasks = plan_run(Selection(text=chosen.filter, frameworks=(chosen.framework,)))
    rows = sum(len(task.rows) for task in tasks)
    print(f"{chosen.framework}, {len(tasks)} tasks, {rows} rows: {chosen.filter}")
    taken: dict[bool, list[float]] = {True: [], False: []}
    heard = [listen()]
    for weigh in TURNS * chosen.rounds:
        taken[weigh].append(run(tasks, weigh=weigh))
        print(f"{'with' if weigh else 'without':8}{taken[weigh][-1]:8.1f} s", flush=True)
        heard.append(listen())
    added = mean(taken[True]) / mean(taken[False]) - 1
    print(f"the memory pass adds {added:.1%} (aim: at most 15 %)")
    shares = ", ".join(f"{slow(each, heard):.0%}" for each in heard)
    print(f"fixed work slowed by others before, between and after: {shares}")


def run(tasks: Sequence[Task], *, weigh: bool) -> float:
    """Return the seconds that a run of these tasks takes, the start of its children included."""
    start = time.monotonic()
    with Campaign(tasks, weigh=weigh).children() as campaign:
        for task, then in pairwise([*tasks, None]):
            if task is not None:
                campaign.measure(task, then)
    return time.monotonic() - start


def parser() -> argparse.ArgumentParser:
    """Return what the command understands."""
    made = argparse.ArgumentParser(description="what the memory pass adds to a run")
    made.add_argument("--framework", default="pytorch")
    made.add_argument("-k", dest="filter", default=FILTER, help="which operators")
    made.add_argument("--rounds", type=int, default=1, help="of four runs each")
    return made


if __name__ == "__main__":
    main(sys.argv[1:])
