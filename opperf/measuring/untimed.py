"""Results without a time, for rows that were skipped, failed or crashed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.results.reading import from_mapping
from opperf.core.results.record import assemble, now

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from opperf.core.results.outcome import Outcome
    from opperf.core.results.result import Result
    from opperf.planning.task import Row, Task


def untimed_results(
    task: Task,
    rows: Iterable[Row],
    outcome: Outcome,
    environment: Mapping[str, Any],
    started_at: str | None = None,
) -> list[Result]:
    """Return a result of this outcome for each of these rows of a task, by default begun now."""
    records = [
        assemble(task.describe(variant), direction, outcome, environment, started_at or now())
        for variant, direction in rows
    ]
    return [from_mapping(record) for record in records]
