"""The results of a sweep by operator, framework and direction, each with the line through it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from opperf.core.statistics.scaling import Scaling, SizePoint, fit
from opperf.reporting.crossover import crossovers
from opperf.reporting.wording import counts_text, dtypes, number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.results.result import Result
    from opperf.reporting.crossover import Crossover


@dataclass(frozen=True)
class Series:
    """The results of one operator, on one framework, in one direction, by size."""

    results: list[Result]

    @property
    def first(self) -> Result:
        """The one that stands for all."""
        return self.results[0]

    @cached_property
    def computes(self) -> bool:
        """Whether FLOP are its measure of size, not bytes: it computes more where it is large."""
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
        return fit(self.points)

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
        found.setdefault(json.dumps([what, tensors, attributes]), []).append(result)
    return [Series(group) for group in found.values()]


def beyond(value: Any) -> Any:
    """Return an attribute without the leading length of a shape, which a sweep may scale."""
    return [*value][1:] if isinstance(value, (list, tuple)) else value


def sweep_rows(results: Sequence[Result]) -> list[dict[str, object]]:
    """Return one flat object a series, in seconds, bytes and FLOP."""
    found = series(results)
    met = {id(one.other): one for one in crossovers(found)}
    return [row_of(each) | crossing(met.get(id(each))) for each in found]


def crossing(found: Crossover | None) -> dict[str, object]:
    """Return a crossover as fields of the series that is compared with the first framework's."""
    return {
        "crossover_after": found.low if found else None,
        "crossover_by": found.high if found else None,
        "faster_beyond": found.faster if found else None,
    }


def row_of(found: Series) -> dict[str, object]:
    """Return a series as a flat object; None for what its points do not show.

    An `_error` is half of a 95 % interval as a share of its figure. `crossover_after` and
    `crossover_by` are the sizes between which it begins to be the other way round which of the
    first framework and this one is the faster: `faster_beyond` then is.
    """
    line, operator = found.line, found.first.operator
    sizes = [point.n for point in found.points]
    cliffs = line.cliffs if line else ()
    steps = [f"{cliff.n:.0f}:{cliff.ratio:.3g}:{cliff.error:.2g}" for cliff in cliffs]
    return {
        "operator": operator.name,
        **{name: getattr(operator, name) for name in ("framework", "direction", "fused", "device")},
        "dtype": " ".join(dtypes(found.first)) or None,
        "points": len(sizes),
        "left_out": found.left_out,
        "unit": found.unit,
        "smallest": min(sizes, default=None),
        "largest": max(sizes, default=None),
        "fixed_seconds": line.overhead if line else None,
        "fixed_error": line.overhead_error if line else None,
        "fixed_seconds_at_most": line.overhead_limit if line else None,
        "rate": line.rate if line else None,
        "rate_error": line.rate_error if line else None,
        "half_rate": line.half_rate if line else None,
        "half_rate_error": line.half_rate_error if line else None,
        "cliffs": " ".join(steps) or None,
        "statuses": counts_text(result.status for result in found.results),
    }
