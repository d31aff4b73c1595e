"""Specifications' tests as rows: delay, throughput, error, memory, and the slowest operator."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.results.identity import SPEC
from opperf.core.results.metrics import metrics_of
from opperf.core.timing.metric import OPERATOR_DELAY
from opperf.core.units import format_bytes
from opperf.reporting.models import step_text, throughput_text, without_empty_columns
from opperf.reporting.text import clean
from opperf.reporting.wording import codes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opperf.core.results.result import Result

TIMES = ("delay",)
KEEP = ("test", "delay", "framework", "session", "error", "items/s", "model", "memory")
"""The columns that matter, the most first."""


def is_spec(result: Result) -> bool:
    """Return whether a record is of a specification's test."""
    return result.subject is not None and result.subject.kind == SPEC


def spec_rows(results: Sequence[Result], *, ascii_only: bool = False) -> list[dict[str, object]]:
    """Return a row a test, framework and session, without columns that hold nothing."""
    sessions = len({result.session for result in results}) > 1
    rows = [row_of_test(result, sessions=sessions, ascii_only=ascii_only) for result in results]
    return without_empty_columns(rows)


def row_of_test(result: Result, *, sessions: bool, ascii_only: bool) -> dict[str, object]:
    """Return the row of one record; a mark stands before what is not to be relied on."""
    metrics = metrics_of(result)
    error, memory = metrics.get("error"), metrics.get("peak_memory")
    mark = "! " if result.status == "noisy" else ""
    return {
        "test": clean(result.attributes.get("identifier")),
        "model": clean(result.operator.name),
        "framework": clean(result.operator.framework),
        **({"session": result.session} if sessions else {}),
        "delay": f"{mark}{delay_text(result, ascii_only=ascii_only)}",
        "items/s": throughput_text(metrics.get("throughput"), mark, ascii_only=ascii_only),
        "error": None if error is None or error.value is None else f"{error.value:.2g}",
        "memory": format_bytes(int(memory.value)) if memory and memory.value is not None else None,
        "slowest operator": slowest_operator(result),
        "notes": ", ".join(codes(result)) or None,
    }


def delay_text(result: Result, *, ascii_only: bool) -> str:
    """Return the delay, "right" of a test that compares alone, else how it ended."""
    if result.status == "skipped" and result.reason is None:
        return "right"
    return step_text(result, ascii_only=ascii_only)


def slowest_operator(result: Result) -> str | None:
    """Return "aten.addmm 62 %": the operator with the largest share of all operators' seconds."""
    seconds = {
        metric.name.removeprefix(OPERATOR_DELAY): metric.value
        for metric in result.metrics
        if metric.name.startswith(OPERATOR_DELAY) and metric.value is not None
    }
    if not sum(seconds.values()):
        return None
    name = max(seconds, key=seconds.__getitem__)
    return f"{clean(name)} {seconds[name] / sum(seconds.values()):.0%}"


def spec_notes(results: Sequence[Result]) -> Iterator[str]:
    """Yield why a test has no time."""
    for result in results:
        if result.reason:
            test = clean(result.attributes.get("identifier"))
            name = f"{test} on {clean(result.operator.framework)}"
            yield f"{name}: {result.status}: {clean(result.reason)}"
