"""The results of a sweep by operator, framework and direction, each with the line through it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from opperf.core.results.json_key import json_key
from opperf.core.statistics.scaling import FEWEST, Scaling, SizePoint, fit
from opperf.reporting.wording import number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.results.result import Result


@dataclass(frozen=True)
class Series:
    """The results of one operator, on one framework, in one direction, by size."""

    results: list[Result]

    @property
    def first(self) -> Result:
        """The first result, whose operator all share."""
        return self.results[0]

    @cached_property
    def computes(self) -> bool:
        """Whether its size is counted in FLOP rather than bytes."""
        largest = max(
            self.results, key=lambda result: (result.flop_count or 0, bytes_moved(result))
        )
        return (largest.flop_count or 0) >= bytes_moved(largest)

    @property
    def unit(self) -> str:
        """The unit of its sizes."""
        return "FLOP" if self.computes else "B"

    @property
    def points(self) -> list[SizePoint]:
        """Sizes and times; what has no reliable time is no point."""
        return [
            SizePoint(self.work(result), result.seconds, result.interval)
            for result in self.results
            if result.reliable and result.seconds is not None and result.seconds > 0
        ]

    @property
    def left_out(self) -> int:
        """How many sizes have a time that is not to be relied on, and that the line leaves out."""
        return sum(result.seconds is not None for result in self.results) - len(self.points)

    @cached_property
    def line(self) -> Scaling | None:
        """The line through the points, None where there are too few."""
        return fit(self.points) if len(self.results) >= FEWEST else None

    def work(self, result: Result) -> int:
        """Return the size of a result."""
        return result.flop_count or 0 if self.computes else bytes_moved(result)


def bytes_moved(result: Result) -> int:
    """Return the bytes moved; where no count is declared, as of a backward, those of the tensors.

    So all directions of an operator are seen over the same sizes.
    """
    if result.byte_count is not None:
        return int(result.byte_count)
    inputs = sum(item.nbytes or 0 for item in result.inputs)
    return inputs + int(number(result.memory.outputs) or 0)


def series(results: Sequence[Result]) -> list[Series]:
    """Return the results that differ in size alone, side by side, in their order."""
    found: dict[str, list[Result]] = {}
    for result in results:
        names = ("name", "fused", "device", "direction", "framework")
        what = [getattr(result.operator, name) for name in names]
        tensors = [[item.name, item.dtype, item.shape[1:]] for item in result.inputs]
        attributes = {name: beyond(value) for name, value in result.attributes.items()}
        found.setdefault(json_key([what, tensors, attributes]), []).append(result)
    return [Series(group) for group in found.values()]


def beyond(value: Any) -> Any:
    """Return an attribute without the leading length of a shape, which a sweep may scale."""
    return [*value][1:] if isinstance(value, (list, tuple)) else value
