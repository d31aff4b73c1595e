"""What a run is to measure, and what is to follow from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from opperf.core.results.result import Result
    from opperf.planning.task import Task

    Repeat = Callable[[Sequence[Result]], Sequence[Task]]
    """Returns the tasks that are measured once more, each with those of its rows that are."""
    Derive = Callable[[Sequence[Result]], Sequence[Result]]


def nothing(results: Sequence[Result]) -> Sequence[Task]:
    """Return what is measured once more where that is switched off."""
    del results
    return ()


def no_records(results: Sequence[Result]) -> Sequence[Result]:
    """Return what follows from results of operators."""
    del results
    return ()


@dataclass(frozen=True)
class Agenda:
    """What is to be measured: tasks, and what of all results then is to be measured once more.

    Then follows what is to be measured `beside` the results that are there; `derive` returns the
    records that follow from all results in the end.
    """

    tasks: Sequence[Task]
    repeat: Repeat = nothing
    beside: Repeat = nothing
    derive: Derive = no_records
