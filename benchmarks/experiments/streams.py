"""Recording pairs of arms that are known to be equal, or known to differ, session by session."""

from __future__ import annotations

import sys
import tempfile
import time
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

from opperf.comparing.arms.arm import parse_arm
from opperf.comparing.campaign import Evidence, Rules
from opperf.comparing.pairs.job import jobs_of
from opperf.comparing.pairs.session import Session
from opperf.measuring.worker.handle import Limits
from opperf.planning.plan import make_plan
from opperf.planning.selection import Selection
from opperf.storing import PairJournal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.comparing.pairs.job import Job
    from opperf.comparing.pairs.process import Plan
    from opperf.core.results.pair import Pair

MULTIPLE = 200
"""Iterations of a block are a multiple of this where some per cent of them are added."""


def select(text: str, sizes: tuple[str, ...] = ("small", "typical")) -> list[Job]:
    """Return the jobs of PyTorch that a filter selects."""
    return jobs_of(make_plan(Selection(text=text, frameworks=("pytorch",), sizes=sizes)))


def record(
    path: Path,
    jobs: Sequence[Job],
    sessions: int,
    *,
    plans: dict[str, Plan] | None = None,
    stretch: float = 1.0,
) -> list[Pair]:
    """Return the pairs of so many sessions; those that are in the file already are not repeated.

    Both arms are this interpreter; B makes `stretch` times the iterations that it is divided by.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    here = parse_arm(".")
    with PairJournal(path) as journal, tempfile.TemporaryDirectory() as folder:
        found = list(journal.found.results)
        known = {pair.key: dict(pair.plan) for pair in found if pair.plan} | (plans or {})
        for number in range(1, sessions + 1):
            done = {pair.key for pair in found if pair.session == number}
            due = [job for job in jobs if job.key not in done]
            if not due:
                continue
            began = time.monotonic()
            session = Session(
                number=number,
                purpose="comparison",
                run_id=path.stem,
                arms={"a": here, "b": here},
                limits=Limits(),
                folder=Path(folder),
                plans=known,
                stretch=stretch,
            )
            for pair in session.measure(due):
                journal.append([pair])
                found.append(pair)
            took = time.monotonic() - began
            print(
                f"  {path.stem} {number} of {sessions}: {took:.0f} s", file=sys.stderr, flush=True
            )
    wanted = {job.key for job in jobs}
    return [pair for pair in found if pair.session <= sessions and pair.key in wanted]


def rounded(pairs: Sequence[Pair]) -> dict[str, Plan]:
    """Return how blocks were taken, in multiples of 200 iterations: 1 % of them is whole then."""
    return {
        pair.key: {**pair.plan, "iterations": ceil(pair.plan["iterations"] / MULTIPLE) * MULTIPLE}
        for pair in pairs
        if pair.plan
    }


def evidence_of(pairs: Sequence[Pair], rules: Rules) -> Evidence:
    """Return the pairs as a comparison has them."""
    evidence = Evidence(rules)
    evidence.add(sorted(pairs, key=lambda pair: pair.session))
    return evidence


def by_job(pairs: Sequence[Pair]) -> Mapping[str, list[Pair]]:
    """Return the pairs that have a ratio, by what they are of and in the order of sessions."""
    found: dict[str, list[Pair]] = {}
    for pair in sorted(pairs, key=lambda pair: pair.session):
        if pair.ratio is not None:
            found.setdefault(pair.key, []).append(pair)
    return found


def recorded(pairs: Sequence[Pair]) -> str:
    """Return when the pairs were recorded, which may be long before they are judged."""
    times = sorted(pair.started_at for pair in pairs)
    return f"recorded from {times[0][:16]} to {times[-1][:16]} UTC"


def seconds_of(pairs: Sequence[Pair]) -> float:
    """Return the seconds of the blocks alone."""
    return sum(
        sum(times) * (pair.plan["iterations"] - pair.plan["short"])
        for pair in pairs
        for times in (pair.a_blocks, pair.b_blocks)
        if pair.plan
    )
