"""The JSON that github-action-benchmark charts, with its `tool: customSmallerIsBetter`.

https://github.com/benchmark-action/github-action-benchmark: a list of `name`, `unit` and `value`,
with `range` and `extra` for the tooltip. Runs are joined by name; so a row always has the same name
and unit.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from opperf.core.results.metrics import beside_the_time
from opperf.core.units import format_seconds
from opperf.reporting.foreign.benchmark import NANOSECOND, in_unit, name_of, timed
from opperf.reporting.text import clean
from opperf.reporting.wording import status_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, TextIO

    from opperf.core.results.result import Result
    from opperf.reporting.subjects import Run


def write_github_action(run: Run, stream: TextIO) -> None:
    """Write an entry a row, the median in nanoseconds, and one for each other metric of it."""
    found = [made for result in timed(run) for made in entries(result)]
    json.dump(found, stream, indent=1, allow_nan=False)
    stream.write("\n")


def entries(result: Result) -> Iterator[dict[str, Any]]:
    """Yield the time of a row, and the metrics of which smaller is better, as the tool has it."""
    yield entry(result)
    for metric in beside_the_time(result):
        if metric.better == "less":
            name, extra = f"{name_of(result)} {metric.name}", f"result: {result.result_id}"
            yield {
                "name": clean(name), "unit": clean(metric.unit), "value": metric.value,
                "extra": extra,
            }  # fmt: skip


def entry(result: Result) -> dict[str, Any]:
    """Return a row as an entry; without an interval it has no range."""
    facts = [f"status: {status_text(result)}", f"reliable: {'yes' if result.reliable else 'no'}"]
    found: dict[str, Any] = {
        "name": name_of(result),
        "unit": "ns",
        "value": in_unit(result.seconds or 0.0, NANOSECOND),
    }
    if result.interval:
        low, high = result.interval
        found["range"] = f"± {in_unit((high - low) / 2, NANOSECOND)}"
        facts.append(f"95 % interval: {format_seconds(low)} to {format_seconds(high)}")
    return {**found, "extra": "\n".join([*facts, f"result: {result.result_id}"])}
