"""The timeline of a run, as chrome://tracing and ui.perfetto.dev show it.

Trace Event Format (Google, 2016): complete events ("X") in microseconds, one process a framework
and one thread a session.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from opperf.core.moments import from_iso
from opperf.reporting.pairing import frameworks
from opperf.reporting.text import clean
from opperf.reporting.wording import direction_text, given_text, operator_text

if TYPE_CHECKING:
    from typing import TextIO

    from opperf.core.results.result import Result
    from opperf.reporting.subjects import Run


def write_chrome_trace(run: Run, stream: TextIO) -> None:
    """Write when each row was measured.

    A record says when its row began; a row lasts until the next one begins, wherever that is, so
    that checking and starting a process count for the row before them. The last one has no such
    end and lasts as long as its samples.
    """
    ordered = sorted(run.results, key=began)
    numbers = {name: number for number, name in enumerate(frameworks(ordered), start=1)}
    names = [name_event(clean(name), number) for name, number in numbers.items()]
    start = began(ordered[0]) if ordered else 0.0
    ends = [began(result) for result in ordered[1:]]
    ends += [began(result) + sampling(result) for result in ordered[-1:]]
    rows = [
        event(result, numbers[result.operator.framework], began(result) - start, end - start)
        for result, end in zip(ordered, ends, strict=True)
    ]
    json.dump({"displayTimeUnit": "ms", "traceEvents": [*names, *rows]}, stream, allow_nan=False)
    stream.write("\n")


def began(result: Result) -> float:
    """Return when its row began, in seconds since 1970."""
    return from_iso(result.started_at).timestamp()


def sampling(result: Result) -> float:
    """Return the seconds that its samples took together."""
    return max(sum(result.samples.seconds), 0.0) if result.samples else 0.0


def name_event(name: str, number: int) -> dict[str, Any]:
    """Return what gives a process its name."""
    return {"ph": "M", "name": "process_name", "pid": number, "tid": 0, "args": {"name": name}}


def event(result: Result, number: int, start: float, end: float) -> dict[str, Any]:
    """Return a row as a complete event."""
    direction = direction_text(result.operator.direction)
    return {
        "ph": "X",
        "name": f"{operator_text(result)} {direction}",
        "cat": clean(result.operator.category),
        "pid": number,
        "tid": result.session,
        "ts": round(start * 1e6),
        "dur": round(max(end - start, 0) * 1e6),
        "args": {
            "inputs": given_text(result),
            "status": result.status,
            "median_seconds": result.seconds,
        },
    }
