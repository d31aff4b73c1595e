"""The results of a sweep as flat rows: a series, the line through it, and where another crosses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.reporting.crossover import crossovers
from opperf.reporting.series import series
from opperf.reporting.wording import counts_text, dtypes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.results.result import Result
    from opperf.reporting.crossover import Crossover
    from opperf.reporting.series import Series


def sweep_rows(results: Sequence[Result]) -> list[dict[str, object]]:
    """Return one flat object a series, in seconds, bytes and FLOP."""
    found = series(results)
    met = {id(one.other): one for one in crossovers(found)}
    return [row_of(each) | crossing(met.get(id(each))) for each in found]


def crossing(crossover: Crossover | None) -> dict[str, object]:
    """Return a crossover as fields of the series that is compared with the first framework's."""
    return {
        "crossover_after": crossover.low if crossover else None,
        "crossover_by": crossover.high if crossover else None,
        "faster_beyond": crossover.faster if crossover else None,
    }


def row_of(one: Series) -> dict[str, object]:
    """Return a series as a flat object; None for what its points do not show.

    An `_error` is half of a 95 % interval as a share of its figure. `crossover_after` and
    `crossover_by` are the sizes between which it begins to be the other way round which of the
    first framework and this one is the faster: `faster_beyond` then is.
    """
    line, operator = one.line, one.first.operator
    sizes = [point.n for point in one.points]
    cliffs = line.cliffs if line else ()
    steps = [f"{cliff.n:.0f}:{cliff.ratio:.3g}:{cliff.error:.2g}" for cliff in cliffs]
    return {
        "operator": operator.name,
        **{name: getattr(operator, name) for name in ("framework", "direction", "fused", "device")},
        "dtype": " ".join(dtypes(one.first)) or None,
        "points": len(sizes),
        "left_out": one.left_out,
        "unit": one.unit,
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
        "statuses": counts_text(result.status for result in one.results),
    }
