"""What a run is to measure, and what is to follow from it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from opperf.calls.measuring.plan import dtype_of
from opperf.calls.ranking.sums import network_sums

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from opperf.calls.format.model import CallsRecord
    from opperf.core.results.result import Result
    from opperf.planning.selection import Selection
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


def derive_sums(record: CallsRecord | None, selection: Selection) -> Derive:
    """Return what makes the record of the network's sum, where a run is of a network's calls."""
    if record is None:
        return no_records
    return partial(network_sums, record, dtype_of(selection), selection.settings)
