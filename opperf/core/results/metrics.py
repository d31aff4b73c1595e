"""The quantities of a record, each a value by its name: those of its fields and those of probes.

A result is `opperf.core.results.result.Result`, which imports this module and not the reverse.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, SupportsIndex, overload

from opperf.core.errors import unknown
from opperf.core.results.quantity import MetricRecord
from opperf.core.timing.metric import OPERATOR_DELAY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping


class Quantity(NamedTuple):
    """A quantity that has fields of its own in a record."""

    unit: str
    better: str
    find: Callable[[Any], float | None]
    per: str = "call"


def peak_memory(result: Any) -> int | None:
    """Return the bytes that a call takes beside its inputs."""
    outputs, workspace = result.memory.outputs, result.memory.workspace
    return None if outputs is None or workspace is None else outputs + workspace


def instructions(result: Any) -> float | None:
    """Return the user instructions of a call."""
    return timed(result.counters.instructions if result.counters else None, result)


def kernels(result: Any) -> int | None:
    """Return how many kernels a call runs."""
    found = result.fusion.kernels if result.fusion else None
    return None if found is None else len(found)


def timed(value: float | None, result: Any) -> float | None:
    """Return a value that says nothing unless the record has a time."""
    return None if value is None or result.seconds is None else value


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
TOLD = frozenset({"time", *OF_THE_TIME, *DECLARED})
BESIDE = {name: quantity for name, quantity in QUANTITIES.items() if name not in TOLD}


def beside_the_time(result: Any) -> list[MetricRecord]:
    """Return the known quantities of a result that neither its time nor its shapes tell.

    The delays of a network's operators are left out: they are too many for columns.
    """
    found = records(result, BESIDE) | {metric.name: metric for metric in result.metrics}
    return [
        metric
        for metric in found.values()
        if metric.value is not None
        and metric.name not in TOLD
        and not metric.name.startswith(OPERATOR_DELAY)
    ]


def probed(result: Any) -> list[MetricRecord]:
    """Return the known quantities of a result that have no field in a record."""
    return [metric for metric in beside_the_time(result) if metric.name not in QUANTITIES]


def metrics_of(result: Any) -> dict[str, MetricRecord]:
    """Return all quantities of a result by their names, those without a value left out.

    A record of any version has those of its fields. One that probes have yielded stands for itself,
    also where it says why it has no value.
    """
    return records(result, QUANTITIES) | {metric.name: metric for metric in result.metrics}


def records(result: Any, quantities: Mapping[str, Quantity]) -> dict[str, MetricRecord]:
    """Return those of the quantities that have a value in the fields of a record."""
    return {
        name: MetricRecord(
            name=name, unit=quantity.unit, value=value, better=quantity.better, per=quantity.per,
            interval=result.interval if name == "time" else None,
        )
        for name, quantity in quantities.items()
        if (value := quantity.find(result)) is not None
    }  # fmt: skip


def values_of(result: Any, names: Iterable[str]) -> dict[str, float | None]:
    """Return the values of `metrics_of` for some of `QUANTITIES`, None where there is none."""
    probed_values = {metric.name: metric.value for metric in result.metrics}
    return {
        name: probed_values[name] if name in probed_values else QUANTITIES[name].find(result)
        for name in names
    }


class Metrics(tuple[MetricRecord, ...]):  # noqa: SLOT001 - a tuple has none but empty ones
    """What probes have found; by its name, any quantity of the result: `metrics["workspace"]`."""

    result: Any

    @classmethod
    def of(cls, records: Iterable[MetricRecord], result: Any) -> Metrics:
        """Return what probes have found for a result."""
        metrics = cls(records)
        metrics.result = result
        return metrics

    @overload
    def __getitem__(self, key: str, /) -> MetricRecord: ...
    @overload
    def __getitem__(self, key: SupportsIndex, /) -> MetricRecord: ...
    @overload
    def __getitem__(self, key: slice, /) -> tuple[MetricRecord, ...]: ...
    def __getitem__(
        self, key: str | SupportsIndex | slice, /
    ) -> MetricRecord | tuple[MetricRecord, ...]:
        if not isinstance(key, str):
            return super().__getitem__(key)
        found = metrics_of(self.result)
        if key not in found:
            raise KeyError(unknown("metric", key, found))
        return found[key]

    def __contains__(self, key: object, /) -> bool:
        return key in self.names() if isinstance(key, str) else super().__contains__(key)

    def __reduce__(self) -> tuple[Any, ...]:
        return tuple, (tuple(self),)

    def names(self) -> list[str]:
        """Return the names of all quantities that the result has."""
        return [*metrics_of(self.result)]
