"""Results without a time, for rows that were skipped, failed or crashed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.registry import find_framework
from opperf.core.results.reading import from_mapping
from opperf.core.results.record import assemble, now
from opperf.declaring.description import describe
from opperf.planning.task import operator_of

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
    operator, framework = operator_of(task), find_framework(task.framework)
    subjects = [
        (describe(operator, framework, task.device, task.settings, variant), direction)
        for variant, direction in rows
    ]
    return [
        from_mapping(assemble(subject, direction, outcome, environment, started_at or now()))
        for subject, direction in subjects
    ]
