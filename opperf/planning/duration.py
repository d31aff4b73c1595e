"""How long a plan takes: by what rows took in earlier runs, else by typical times."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING

from opperf.planning.due import job_of_task, row_of_result

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from opperf.core.results.result import Result
    from opperf.planning.task import Task

TYPICAL: Mapping[str, tuple[float, float]] = {
    "forward": (0.23, 0.12),
    "forward_recorded": (0.12, 0.05),
    "backward": (0.35, 0.18),
    "forward_backward": (0.40, 0.39),
}
"""Seconds that a row takes on MXNet and on PyTorch beside its samples: drawing inputs, checking,
warming up, finding its memory. Means of 491 rows of typical size (a quick look at core operators)
on the third machine of docs/lab/method.md, 2026-11-23, less what its budget of 0.1 s comes to."""
SHARE = 1.4
"""Seconds that a row takes for each second of its budget, which is that of the samples alone."""
OF_SIZE = {"small": 0.6, "large": 3.0}
LOADING = 3.0
"""Seconds until a framework is loaded, at each of its places; all are loaded at once."""
LONGEST_ROW = 600.0
"""Seconds between two records from which the time went elsewhere."""


@dataclass(frozen=True, kw_only=True)
class DurationEstimate:
    """Seconds that a plan is expected to take, of so many rows, some of them by earlier runs."""

    seconds: float
    rows: int
    remembered: int


def past_rows(runs: Iterable[Sequence[Result]]) -> dict[tuple[object, ...], float]:
    """Return how long each row took in runs, the median of several: until the next one began.

    What was measured twice in a run, being unreliable at first, took both times.
    """
    found: dict[tuple[object, ...], list[float]] = {}
    for results in runs:
        took: dict[tuple[object, ...], float] = {}
        ordered = sorted(results, key=moment)
        for one in ordered[-1:]:  # how long it took beside its samples is not known
            took[row_of_result(one)] = sum(one.samples.seconds) if one.samples else 0.0
        for one, following in pairwise(ordered):
            seconds = moment(following) - moment(one)
            if 0 < seconds < LONGEST_ROW:
                took[row_of_result(one)] = took.get(row_of_result(one), 0.0) + seconds
        for row, seconds in took.items():
            found.setdefault(row, []).append(seconds)
    return {row: median(times) for row, times in found.items()}


def past_start(runs: Iterable[tuple[str, Sequence[Result]]]) -> float | None:
    """Return the seconds from when a run was made to its first row: the median, None without runs.

    `runs` are when each was made, as ISO 8601, and its results.
    """
    took = [
        min(map(moment, results)) - datetime.fromisoformat(made).timestamp()
        for made, results in runs
        if results
    ]
    likely = [seconds for seconds in took if 0 <= seconds < LONGEST_ROW]
    return median(likely) if likely else None


def moment(result: Result) -> float:
    """Return when a row began, in seconds."""
    return datetime.fromisoformat(result.started_at).timestamp()


def estimate(
    tasks: Sequence[Task],
    past: Mapping[tuple[object, ...], float],
    *,
    check_only: bool = False,
    start: float | None = None,
) -> DurationEstimate:
    """Return how long the tasks take, with `start` seconds to their first row, None if unknown."""
    seconds, remembered, rows = LOADING if start is None else start, 0, 0
    for task in tasks:
        job = job_of_task(task) if past else ()
        for row in task.rows:
            rows += 1
            known = past.get((*job, *row)) if past else None
            remembered += known is not None
            typical = row_seconds(task, row[1], check_only=check_only)
            seconds += typical if known is None else known
    return DurationEstimate(seconds=seconds, rows=rows, remembered=remembered)


def row_seconds(task: Task, direction: str, *, check_only: bool = False) -> float:
    """Return how long a row typically takes, with most of its budget."""
    mxnet, others = TYPICAL.get(direction, TYPICAL["forward_backward"])
    fixed = mxnet if task.framework == "mxnet" else others
    fixed *= OF_SIZE.get(task.size, 1.0)
    return fixed if check_only else fixed + SHARE * task.settings.budget
