"""The calls that carry most of a network's time, once more with cold caches.

In a network the operands of a call may have left the caches; in isolation they never do. What that
costs at most is the difference between a call hot and cold.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from opperf.calls.measuring.plan import call_task, dtype_of
from opperf.calls.ranking.ranking import rank
from opperf.calls.ranking.whole import whole_step
from opperf.core.configuration.settings import COLD, HOT
from opperf.planning.due import missing_from

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opperf.calls.format.model import CallsRecord
    from opperf.calls.ranking.ranking import RankedCall, Ranking
    from opperf.core.results.result import Result
    from opperf.planning.selection import Selection
    from opperf.planning.task import Task

CARRIED, MOST = 0.8, 12
"""The share of the sum that calls are measured cold for, and how many of them at most."""


def cold_tasks(
    record: CallsRecord, selection: Selection, results: Sequence[Result]
) -> Sequence[Task]:
    """Return the dearest calls as tasks with cold caches, those left out that have been measured.

    There are none where there is no whole network that the sum of the calls could differ from.
    """
    if whole_step(record) is None or selection.check_only or selection.settings.cache != HOT:
        return ()
    own = [result for result in results if result.operator.framework == record.framework]
    tasks = [
        cold_task(one, ranking, selection)
        for ranking in rank(record, own, dtype_of(selection))
        for one in dearest(ranking)
    ]
    return missing_from(tasks, results)


def cold_task(one: RankedCall, ranking: Ranking, selection: Selection) -> Task:
    """Return a call as a task with cold caches, which nobody has asked for."""
    framework, device, threads, _ = ranking.place
    task = call_task(one.call, (framework, device, threads or 1), selection)
    return replace(task, settings=replace(task.settings, cache=COLD), companion=True)


def dearest(ranking: Ranking) -> Iterator[RankedCall]:
    """Yield the calls that carry most of the sum, from the dearest on."""
    for one in ranking.timed[:MOST]:
        yield one
        if (one.cumulative or 0.0) >= CARRIED:
            return
