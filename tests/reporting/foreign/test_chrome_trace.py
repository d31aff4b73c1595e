"""The timeline: rows one after the other, a process a framework."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING

from opperf.reporting.foreign.chrome_trace import write_chrome_trace
from opperf.reporting.subjects import Run

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.results.result import Result

    Make = Callable[..., Result]


def test_a_row_lasts_until_the_next_begins(make: Make) -> None:
    """In microseconds from the first; the last lasts as long as its samples."""
    at = "2026-11-21T00:00:{:06.3f}+00:00"
    results = [
        make(name="B", framework="pytorch", started_at=at.format(2.5), seconds=0.25),
        make(name="A", started_at=at.format(1)),
    ]
    stream = io.StringIO()
    write_chrome_trace(Run(name="run", results=results), stream)
    events = json.loads(stream.getvalue())["traceEvents"]
    assert [event["args"]["name"] for event in events if event["ph"] == "M"] == ["mxnet", "pytorch"]
    rows = [(e["name"], e["pid"], e["ts"], e["dur"]) for e in events if e["ph"] == "X"]
    assert rows == [("A forward", 1, 0, 1_500_000), ("B forward", 2, 1_500_000, 250_000)]


def test_no_result_is_an_empty_timeline() -> None:
    """And still one that can be opened."""
    stream = io.StringIO()
    write_chrome_trace(Run(name="run", results=[]), stream)
    assert json.loads(stream.getvalue())["traceEvents"] == []
