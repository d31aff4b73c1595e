"""One flat object a result: what --format json and csv show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.results.metrics import probed, values_of
from opperf.core.results.parts import DeviceTimesRecord
from opperf.core.results.status import TIMED
from opperf.history.statistics import difference, net_times, statistics
from opperf.reporting.wording import (
    attributes_text,
    codes,
    dtypes,
    inputs_text,
    number,
    timed_number,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from opperf.core.results.result import Result

SUBJECT = (
    "category", "framework", "implementation", "direction", "size", "fused", "device", "threads",
    "cache", "process", "cores",
)  # fmt: skip
FIELDS = (
    "operator", *SUBJECT, "dtype", "inputs", "attributes", "status", "reason", "reliable",
    "companion", "seconds", "low", "high", "precision", "n", "first_call",
    "submit", "latency", "graph",
    "flop_rate", "byte_rate", "peak_fraction", "bound",
    "output_bytes", "workspace_bytes", "saved_bytes", "instructions", "kernels",
    "warnings", "run_id", "result_id",
)  # fmt: skip

HEAD = (
    "operator", "framework", "direction", "device", "inputs", "attributes", "status", "warnings",
)  # fmt: skip
"""What says which result a row of statistics is of."""


QUANTITY = {
    "seconds": "time", "flop_rate": "flop_rate", "byte_rate": "byte_rate",
    "peak_fraction": "peak_fraction", "output_bytes": "outputs", "workspace_bytes": "workspace",
    "saved_bytes": "saved", "instructions": "instructions", "kernels": "kernels",
}  # fmt: skip
"""The quantity that a column has been of since before quantities had names."""


def rows_of(results: Sequence[Result]) -> list[dict[str, object]]:
    """Return the results as flat objects, and below `FIELDS` whatever probes have found of any."""
    found = [probed(result) for result in results]
    names = column_names(metric.name for metrics in found for metric in metrics)
    return [
        {
            **flat(result),
            **dict.fromkeys(names.values()),
            **{names[metric.name]: metric.value for metric in metrics},
        }
        for result, metrics in zip(results, found, strict=True)
    ]


def column_names(metrics: Iterable[str]) -> dict[str, str]:
    """Return the columns of metrics by their names; none is called as another column is."""
    return {name: f"{name} (metric)" if name in FIELDS else name for name in metrics}


def flat(result: Result) -> dict[str, object]:
    """Return a result as one flat object with the keys of `FIELDS`.

    Seconds, FLOP/s, B/s and bytes; missing is None, never zero. `seconds` is the median, `low` and
    `high` its 95 % interval within the one process, `precision` half the interval's width over the
    median; all are None where the status says that there is no time. `reliable` says whether the
    time may be relied on, `companion` that it was measured for a fused operator's sake. On a GPU
    `seconds` is the device's time, `submit` the host's, `latency` that of a call that is awaited,
    and `graph` says whether captured graphs were timed. `peak_fraction` is the share of the
    measured roof, which is `bound` by "flop" or "bytes". The three sizes are those of the
    record's `memory`, `instructions` those of one call in user space, `kernels` how many a call of
    an operator with a fused form runs.
    """
    on_device = result.device_times or DeviceTimesRecord()
    timed = result.status in TIMED
    found = {
        "operator": result.operator.name,
        **{name: getattr(result.operator, name) for name in SUBJECT},
        "inputs": inputs_text(result.inputs) or None,
        "attributes": attributes_text(result.attributes) or None,
        "reliable": result.reliable,
        "companion": result.companion,
        **outcome(result),
        **figures(result),
        "submit": number(on_device.submit) if timed else None,
        "latency": number(on_device.latency) if timed else None,
        "graph": on_device.graph,
        "result_id": result.result_id,
    }
    return {name: found[name] for name in FIELDS}


def outcome(result: Result) -> dict[str, str | None]:
    """Return of `flat` the texts that say how a result ended, and of which run and kind it is."""
    return {
        "dtype": " ".join(dtypes(result)) or None,
        "status": result.status,
        "reason": result.reason,
        "bound": result.roof.bound if result.roof and result.status in TIMED else None,
        "warnings": " ".join(codes(result)) or None,
        "run_id": result.run_id,
    }


def figures(result: Result) -> dict[str, float | None]:
    """Return of `flat` the times, rates, counts and sizes."""
    low, high = result.interval or (None, None)
    values = values_of(result, QUANTITY.values())
    return {
        **{column: number(values[name]) for column, name in QUANTITY.items()},
        "low": low,
        "high": high,
        "precision": timed_number(result, "precision"),
        "n": timed_number(result, "n"),
        "first_call": number(result.samples and result.samples.first_call),
    }


def statistics_rows(
    results: Sequence[Result], others: Sequence[Result] | None = None
) -> list[dict[str, object]]:
    """Return the statistics of each result's samples, in seconds, as one flat object.

    Where there are others, it is the difference: the result's less that of the last one among the
    others that was asked for in the same way; None where there is none.
    """
    others_by_key = {other.key: other for other in others or ()}
    rows = []
    for result in results:
        figures = statistics(net_times(result))
        if others is not None:
            other = others_by_key.get(result.key)
            figures = difference(statistics(net_times(other) if other else ()), figures)
        head = {name: flat(result)[name] for name in HEAD}
        rows.append({**head, **figures})
    return rows
