"""What other tools call a benchmark: a result that has a time, and its name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.reporting.text import clean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.results.result import Result
    from opperf.reporting.subjects import Run

NANOSECOND, MICROSECOND = 1e-9, 1e-6
PARTS = ("name", "framework", "direction", "device", "size", "threads", "cache", "fused")


def timed(run: Run) -> Sequence[Result]:
    """Return the results that have a time: wrong, failed and missing ones have none."""
    return [result for result in run.results if result.seconds is not None]


def name_of(result: Result) -> str:
    """Return the name of a row: the same in each run that asks for the same."""
    operator = result.operator
    given = [f"{item.name}={[*item.shape]}{item.dtype}" for item in result.inputs]
    found = [getattr(operator, name) for name in PARTS]
    parts = [str(value) for value in found if value is not None]
    parts += [f"{name}={value}" for name, value in operator.unusual.items()]
    parts += [*given, *(f"{name}={value}" for name, value in result.attributes.items())]
    return clean("-".join(parts))


def in_unit(seconds: float, unit: float) -> float:
    """Return a time in a unit of so many seconds, without the noise of binary fractions."""
    return float(f"{seconds / unit:.9g}")
