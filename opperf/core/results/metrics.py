"""The quantities of a record, each a value by its name: those of its fields and those of probes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from opperf.core.results.quantity import MetricRecord

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from opperf.core.results.result import Result


class Quantity(NamedTuple):
    """A quantity that has fields of its own in a record."""

    unit: str
    better: str
    find: Callable[[Result], float | None]
    per: str = "call"


def peak_memory(result: Result) -> int | None:
    """Return the bytes that a call takes beside its inputs."""
    outputs, workspace = result.memory.outputs, result.memory.workspace
    return None if outputs is None or workspace is None else outputs + workspace


def instructions(result: Result) -> float | None:
    """Return the user instructions of a call."""
    return timed(result.counters.instructions if result.counters else None, result)


def kernels(result: Result) -> int | None:
    """Return how many kernels a call runs."""
    found = result.fusion.kernels if result.fusion else None
    return None if found is None else len(found)


def timed(value: float | None, result: Result) -> float | None:
    """Return a value that says nothing unless the record has a time."""
    return None if result.seconds is None else value


RATE = ""
"""Rates and shares are not counted for anything."""
QUANTITIES: Mapping[str, Quantity] = {
    "time": Quantity("s", "less", lambda result: result.seconds),
    "outputs": Quantity("B", "less", lambda result: result.memory.outputs),
    "workspace": Quantity("B", "less", lambda result: result.memory.workspace),
    "saved": Quantity("B", "less", lambda result: result.memory.saved),
    "peak_memory": Quantity("B", "less", peak_memory),
    "instructions": Quantity(
        "1", "less",
        instructions,
    ),
    "kernels": Quantity("1", "less", kernels),
    "flop_rate": Quantity("FLOP/s", "more", lambda result: timed(result.flop_rate, result), RATE),
    "byte_rate": Quantity("B/s", "more", lambda result: timed(result.byte_rate, result), RATE),
    "peak_fraction": Quantity(
        "1", "more",
        lambda result: timed(result.peak_fraction, result), RATE,
    ),
}  # fmt: skip
"""What has a field in a record of any version; all else stands in its `metrics`."""
OF_THE_TIME = tuple(name for name, quantity in QUANTITIES.items() if quantity.per == RATE)
"""Counts that are declared over the time, and shares of them."""


DECLARED = ("outputs",)
"""What the shapes of a call say already."""


def beside_the_time(result: Result) -> list[MetricRecord]:
    """Return the known quantities of a result that neither its time nor its shapes tell."""
    told = {"time", *OF_THE_TIME, *DECLARED}
    found = metrics_of(result).values()
    return [metric for metric in found if metric.value is not None and metric.name not in told]


def probed(result: Result) -> list[MetricRecord]:
    """Return the known quantities of a result that have no field in a record."""
    return [metric for metric in beside_the_time(result) if metric.name not in QUANTITIES]


def metrics_of(result: Result) -> dict[str, MetricRecord]:
    """Return all quantities of a result by their names, those without a value left out.

    A record of any version has those of its fields. One that probes have yielded stands for itself,
    also where it says why it has no value.
    """
    found = {
        name: MetricRecord(
            name=name, unit=quantity.unit, value=value, better=quantity.better, per=quantity.per,
            interval=result.interval if name == "time" else None,
        )
        for name, quantity in QUANTITIES.items()
        if (value := quantity.find(result)) is not None
    }  # fmt: skip
    return found | {metric.name: metric for metric in result.metrics}
