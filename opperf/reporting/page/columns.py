"""Results as columns: texts stand once and are referred to by number, numbers have five digits.

A page of 2,000 results has to stay below 2 MB, so what repeats is not repeated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.results.metrics import beside_the_time
from opperf.core.results.parts import NoiseRecord
from opperf.reporting.rows import figures, outcome
from opperf.reporting.series import bytes_moved
from opperf.reporting.text import clean
from opperf.reporting.wording import direction_text, given_text, number, operator_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from opperf.core.results.result import Result

TEXTS = (
    "label", "operator", "category", "framework", "direction", "size", "inputs", "dtype", "device",
    "status", "reason", "bound", "warnings", "run_id",
)  # fmt: skip
NUMBERS = (
    "session", "threads", "seconds", "low", "high", "precision", "n", "first_call", "flop_count",
    "byte_count", "flop_rate", "byte_rate", "peak_fraction", "roof_rate", "output_bytes",
    "workspace_bytes", "saved_bytes", "reliable", "marked", "context_switches", "steal", "pressure",
)  # fmt: skip
OF_OPERATOR = ("category", "framework", "size", "device", "threads")
PLACES = {"workspace": "workspace_bytes", "saved": "saved_bytes"}
"""The metrics that are among the numbers of each result."""
MOST_SAMPLES = 50
"""Samples of a result that are drawn; median and interval are those of all."""
NOISE = ("marked", "context_switches", "steal", "pressure")
STEP = 1e-4
"""Samples are kept as whole steps of this share of their median away from it."""


def columns(results: Sequence[Result]) -> dict[str, Any]:
    """Return the results as `{"texts": {name: [texts, codes]}, "numbers": ..., "samples": ...}`.

    `metrics` says which of the numbers are metrics that any result has, for the table of all.
    """
    rows = [describe(result) for result in results]
    found = [{metric.name: metric for metric in beside_the_time(result)} for result in results]
    known = {metric.name: metric for metrics in found for metric in metrics.values()}
    keys = {name: PLACES.get(name, f"metric {name}") for name in known}
    others = {
        key: [compact(metrics[name].value) if name in metrics else None for metrics in found]
        for name, key in keys.items()
        if key not in NUMBERS
    }
    return {
        "texts": {name: encode(row[name] for row in rows) for name in TEXTS},
        "numbers": {name: [compact(row[name]) for row in rows] for name in NUMBERS} | others,
        "samples": [samples(result) for result in results],
        "metrics": [
            {"title": clean(name).replace("_", " "), "key": keys[name], "unit": clean(metric.unit)}
            for name, metric in known.items()
        ],
    }


def describe(result: Result) -> dict[str, object]:
    """Return what the page says of a result: texts cleaned, seconds, bytes and FLOP."""
    noise, operator = result.noise or NoiseRecord(), result.operator
    return {
        **outcome(result),
        **figures(result),
        **{name: getattr(operator, name) for name in OF_OPERATOR},
        "label": operator_text(result),
        "operator": operator.name,
        "direction": direction_text(operator.direction),
        "inputs": given_text(result),
        "session": result.session,
        "reliable": int(result.reliable),
        "flop_count": result.flop_count,
        "byte_count": bytes_moved(result) or None,
        "roof_rate": result.roof and result.roof.rate,
        **{name: getattr(noise, name) for name in NOISE},
    }


def encode(values: Iterable[object]) -> list[list[Any]]:
    """Return the different texts, and for each value the number of its text, None for none."""
    found = [*values]
    numbers: dict[str, int] = {}
    codes = {
        value: None if value is None else numbers.setdefault(clean(value), len(numbers))
        for value in dict.fromkeys(found)  # most of them repeat
    }
    return [[*numbers], [codes[value] for value in found]]


def compact(value: object) -> float | None:
    """Return a finite number to five digits, and None for anything else."""
    found = number(value)
    if found is None or isinstance(found, int):
        return found
    return float(f"{found:.5g}")


def samples(result: Result) -> dict[str, list[int]] | None:
    """Return up to 50 samples in time order, as steps away from the median, and which do not count.

    `at` are the steps, `out` the positions in `at` of those that something disturbed.
    """
    median, taken = result.seconds, result.samples
    if not median or not taken:
        return None
    count = len(taken.seconds)
    chosen = [*range(count)] if count <= MOST_SAMPLES else spread(count, MOST_SAMPLES)
    seconds, iterations, null = taken.seconds, taken.iterations, taken.null
    left_out = {*(taken.left_out or ())}
    return {
        "at": [
            round(((seconds[index] / iterations - null) / median - 1) / STEP) for index in chosen
        ],
        "out": [position for position, index in enumerate(chosen) if index in left_out],
    }


def spread(count: int, most: int) -> list[int]:
    """Return so many of the positions below `count`, evenly from the first to the last."""
    return [round(step * (count - 1) / (most - 1)) for step in range(most)]
