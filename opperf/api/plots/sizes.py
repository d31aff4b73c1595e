"""Time against size, with the line through the points; and rates under the roofs of the machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from opperf.api.plots.plot import Plot, check_number, errors_of, plain
from opperf.core.units import format_rate, format_seconds
from opperf.reporting.series import series
from opperf.reporting.wording import direction_text, operator_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.results.result import Result
    from opperf.reporting.series import Series

UNITS = {"B": "n, bytes moved", "FLOP": "n, FLOP"}
FEWEST = 3
"""Points of a series that show how its time grows."""


def draw_sizes(results: Sequence[Result], title: str) -> Plot:
    """Return a plot with a panel an operator and direction: times by size, and the line."""
    panels: dict[str, list[Series]] = {}
    for one in series(results):
        if len(one.points) >= FEWEST:
            operator = one.first.operator
            name = f"{operator_text(one.first)} {direction_text(operator.direction)}"
            panels.setdefault(plain(name), []).append(one)
    check_number(len(panels), "operator in several sizes")
    plot = Plot(len(panels))
    for axes, (name, group) in zip(plot.axes, panels.items(), strict=True):
        for at, one in enumerate(group):
            draw_series(axes, one, f"C{at}")
        axes.set(xscale="log", yscale="log", ylabel="seconds per call")
        axes.set_xlabel(" or ".join({UNITS[one.unit]: None for one in group}))
        axes.set_title(f"{name}, {plain(title)}", fontsize="medium")
        axes.grid(alpha=0.3)
        axes.legend(fontsize="small")
    return plot


def draw_series(axes: Any, one: Series, color: str) -> None:
    """Draw the points of a series, and the line through them where there is one."""
    points = sorted(one.points, key=lambda point: point.n)
    sizes = [point.n for point in points]
    name = plain(f"{one.first.operator.framework}{line_text(one)}")
    times = [point.seconds for point in points]
    errors = errors_of(times, [point.interval for point in points])
    axes.errorbar(sizes, times, yerr=errors, fmt="o", capsize=3, color=color, label=name)
    if one.line and (one.line.overhead or one.line.rate):
        along = np.geomspace(min(sizes), max(sizes), 100)
        seconds = (one.line.overhead or 0.0) + (along / one.line.rate if one.line.rate else 0.0)
        axes.plot(along, seconds, color=color, lw=1, alpha=0.7)


def line_text(one: Series) -> str:
    """Return what the line through a series says: ": 1.2 us + n / 11 GB/s"."""
    line = one.line
    if line is None:
        return ""
    parts = [format_seconds(line.overhead)] if line.overhead else []
    parts += [f"n / ({format_rate(line.rate, f'{one.unit}/s')})"] if line.rate else []
    return f": {' + '.join(parts)}" if parts else ""


def draw_roofline(results: Sequence[Result], title: str) -> Plot:
    """Return a plot of FLOP/s by FLOP per byte, under the roofs that the results name.

    Roofs are those that `opperf doctor --peaks` has measured here.
    """
    counted = [
        result
        for result in results
        if result.flop_rate and result.flop_count and result.byte_count and result.reliable
    ]
    check_number(len(counted), "result with FLOP and bytes")
    plot = Plot(inches=5.0)
    (axes,) = plot.axes
    densities = [density_of(result) for result in counted]
    ends = np.array([min(densities) / 2, max(densities) * 2])
    for bound, rate in sorted({(r.roof.bound, r.roof.rate) for r in counted if r.roof}):
        heights = rate * ends if bound == "bytes" else np.array([rate, rate])
        words = format_rate(rate, "B/s" if bound == "bytes" else "FLOP/s")
        axes.plot(ends, heights, color="gray", lw=1, label=f"roof: {words}")
    groups: dict[str, list[Result]] = {}
    for result in counted:
        name = plain(f"{operator_text(result)}, {result.operator.framework}")
        groups.setdefault(name, []).append(result)
    for at, (name, group) in enumerate(groups.items()):
        rates = [result.flop_rate for result in group]
        densities = [density_of(result) for result in group]
        axes.plot(densities, rates, "o", color=f"C{at % 10}", label=name)
    axes.set(xscale="log", yscale="log", xlabel="FLOP per byte moved", ylabel="FLOP/s")
    axes.set_title(plain(title), fontsize="medium")
    axes.grid(alpha=0.3)
    axes.legend(fontsize="x-small")
    return plot


def density_of(result: Result) -> float:
    """Return the FLOP of a result for each byte that it moves."""
    return (result.flop_count or 0) / (result.byte_count or 1)
