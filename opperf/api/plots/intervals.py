"""Times side by side, with their intervals; and ratios of two runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.api.plots.plot import Plot, check_number, errors_of, plain
from opperf.reporting.verdict_labels import inputs_label, row_label
from opperf.reporting.wording import direction_text, given_text, operator_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.comparing.row import ComparedRow
    from opperf.core.results.result import Result

ROW, FRAME = 0.3, 1.2
"""Inches of a row, and of what is round them."""
SPREAD = 20
"""Times the least from which the largest is drawn on a logarithmic scale."""
HOLLOW = "noisy, or without an interval"


def draw_intervals(results: Sequence[Result], title: str) -> Plot:
    """Return a plot with a row an operator, direction and inputs, a mark a framework."""
    timed = [result for result in results if result.seconds is not None]
    labels = [*dict.fromkeys(map(label_of, timed))]
    check_number(len(labels), "timed operator")
    plot = Plot(inches=FRAME + ROW * len(labels))
    (axes,) = plot.axes
    frameworks = [*dict.fromkeys(result.operator.framework for result in timed)]
    for at, framework in enumerate(frameworks):
        for reliable in (True, False):
            marked = [
                result
                for result in timed
                if result.operator.framework == framework and result.reliable is reliable
            ]
            below = shift(at, len(frameworks))
            heights = [labels.index(label_of(result)) + below for result in marked]
            name = plain(framework) if reliable else f"{plain(framework)}: {HOLLOW}"
            draw_marks(axes, marked, heights, color=f"C{at}", filled=reliable, label=name)
    seconds = [result.seconds for result in timed if result.seconds]
    if seconds and max(seconds) > SPREAD * min(seconds):
        axes.set_xscale("log")
    else:
        axes.set_xlim(left=0)
    finish(axes, labels, "seconds per call, median and its 95 % interval", title)
    axes.legend(fontsize="small")
    return plot


def label_of(result: Result) -> str:
    """Return what a row is called."""
    words = [operator_text(result), direction_text(result.operator.direction), given_text(result)]
    return plain(" ".join(filter(None, words)))


def shift(at: int, count: int) -> float:
    """Return how far below its row's middle the mark of a framework stands."""
    return 0.25 * (at - (count - 1) / 2)


def draw_marks(axes: Any, results: Sequence[Result], heights: Sequence[float], **look: Any) -> None:
    """Draw the medians of results with their intervals."""
    if not results:
        return
    medians = [result.seconds or 0.0 for result in results]
    errors = errors_of(medians, [result.interval for result in results])
    filled = look.pop("filled")
    face = look["color"] if filled else "none"
    axes.errorbar(medians, heights, xerr=errors, fmt="o", capsize=3, mfc=face, **look)


COLORS: Mapping[str, str] = {"slower": "C3", "faster": "C2", "equivalent": "C0"}
"""By verdict; whatever says nothing of the time is gray."""


def draw_ratios(rows: Sequence[ComparedRow], min_effect: float, title: str) -> Plot:
    """Return a plot of the ratios b over a, with the band that is no change of interest."""
    known = [row for row in rows if row.ratio is not None]
    check_number(len(known), "ratio")
    plot = Plot(inches=FRAME + ROW * len(known))
    (axes,) = plot.axes
    labels = [ratio_label(row) for row in known]
    for height, row in enumerate(known):
        ratio = row.ratio or 0.0
        color = COLORS.get(row.verdict, "gray")
        face = color if row.reliable else "none"
        errors = errors_of([ratio], [row.interval])
        axes.errorbar([ratio], [height], xerr=errors, fmt="o", capsize=3, color=color, mfc=face)
        axes.annotate(
            row.verdict, (1, height), xycoords=("axes fraction", "data"), xytext=(4, 0),
            textcoords="offset points", va="center", fontsize="x-small", color=color,
        )  # fmt: skip
    axes.set_xscale("log")  # half and twice as much are equally far from no change
    axes.xaxis.set_major_formatter("{x:.3g}")
    axes.xaxis.set_minor_formatter("{x:.3g}")
    axes.tick_params(axis="x", which="both", labelsize="x-small")
    axes.axvspan(1 / (1 + min_effect), 1 + min_effect, color="gray", alpha=0.15, lw=0)
    axes.axvline(1, color="gray", lw=1)
    finish(axes, labels, "time of b over a, with its 95 % interval", title)
    return plot


def ratio_label(row: ComparedRow) -> str:
    """Return what the row of a ratio is called."""
    words = [row_label(row), direction_text(row.direction), inputs_label(row)]
    words += ["A against A"] if row.control else []
    arm = f", {row.arm}" if row.arm else ""
    return plain(f"{' '.join(filter(None, words))}, {row.framework}{arm}")


def finish(axes: Any, labels: Sequence[str], below: str, title: str) -> None:
    """Name the rows, the axis and the plot; the first row stands on top."""
    axes.set_yticks(range(len(labels)), labels, fontsize="small")
    axes.set_ylim(len(labels) - 0.5, -0.5)
    axes.set_xlabel(below)
    axes.set_title(plain(title), fontsize="medium")
    axes.grid(axis="x", alpha=0.3)
