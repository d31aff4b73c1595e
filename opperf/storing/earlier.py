"""How long the work of earlier runs took: from one record of a journal to the next."""

from __future__ import annotations

from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from opperf.core.errors import OpperfError
from opperf.storing.reading import read_whole
from opperf.storing.run_directory import RunDirectory, list_runs

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable
    from pathlib import Path

NEWEST, LARGEST = 5, 32 * 2**20
"""How many earlier runs of a kind are looked into for times, none larger than this."""
LOOKED_AT = 50
"""How many of all runs are, for those of the kind."""
LONGEST = 3600.0
"""Seconds between two records from which the time went elsewhere."""


@dataclass(frozen=True)
class EarlierSession:
    """The seconds that some work took in a session of a run, starting included."""

    seconds: float
    run: str


def earlier_sessions(
    runs_dir: Path,
    kinds: Collection[str],
    understand: Callable[[object], Any],
    key: Callable[[Any], Any],
) -> dict[Any, EarlierSession]:
    """Return how long each work took in a session of the newest run that has it.

    Args:
        runs_dir: the folder of runs.
        kinds: of the manifests of the runs that are looked at.
        understand: returns the record that a JSON object stands for.
        key: returns what is equal for records of the same work.

    """
    found: dict[Any, EarlierSession] = {}
    looked = 0
    for name in list_runs(runs_dir)[: -1 - LOOKED_AT : -1]:
        with suppress(OpperfError, OSError):
            directory = RunDirectory(runs_dir / name)
            journal = directory.results_path
            if directory.manifest().get("kind") not in kinds or looked == NEWEST:
                continue
            looked += 1
            facts = journal.stat()
            if facts.st_size <= LARGEST:
                records = read_whole(journal, understand).results
                starts = [(moment(one), one.session, key(one)) for one in records]
                for work, seconds in seconds_by_work(starts, facts.st_mtime).items():
                    found.setdefault(work, EarlierSession(seconds, name))
    return found


def moment(record: Any) -> float:
    """Return when the measurement of a record began, in seconds."""
    return datetime.fromisoformat(record.started_at).timestamp()


def seconds_by_work(starts: Iterable[tuple[float, int, Any]], ended: float) -> dict[Any, float]:
    """Return how long each work took in a session of a run, the mean of its sessions.

    It took until the next one began, the last until the journal was last written; the start of a
    session counts to what came before it, so that the sum over all work is that of the run.

    Args:
        starts: when each record began, in which session, and of which work it is.
        ended: when the journal was last written.
    """
    ordered = sorted(starts, key=lambda start: start[0])
    took: dict[Any, float] = defaultdict(float)
    sessions: dict[Any, set[int]] = defaultdict(set)
    for (began, session, work), (following, *_) in pairwise([*ordered, (ended, 0, None)]):
        if 0 < following - began < LONGEST:
            took[work] += following - began
            sessions[work].add(session)
    return {work: seconds / len(sessions[work]) for work, seconds in took.items()}
