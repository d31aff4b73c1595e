"""A plot: what a notebook shows, what is saved to a file, and what can be drawn further."""

from __future__ import annotations

import os
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UsageError, quote_path, unknown
from opperf.reporting.process_plot import require

if TYPE_CHECKING:
    from collections.abc import Sequence

INCHES = 8.0
MOST = 60
"""Rows or panels of a plot that a person can read."""
DPI = 110


class Plot:
    """A figure of matplotlib, `figure`, and its `axes`.

    Args:
        panels: how many panels it has, one below the other.
        inches: how high each is.

    Raises:
        NotInstalledError: matplotlib is not installed.

    """

    def __init__(self, panels: int = 1, inches: float = 3.5) -> None:
        require()
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        self.figure: Any = Figure(figsize=(INCHES, panels * inches), layout="constrained")
        FigureCanvasAgg(self.figure)
        self.axes: list[Any] = [*self.figure.subplots(panels, squeeze=False)[:, 0]]

    def save(self, path: str | Path) -> Path:
        """Write it as a file of the kind that its name says: .png, .svg, .pdf.

        Raises:
            UsageError: matplotlib writes no such kind, or the file cannot be written.
        """
        target = Path(os.fspath(path))
        kinds = self.figure.canvas.get_supported_filetypes()
        kind = target.suffix.lower().removeprefix(".")
        if kind not in kinds:
            raise UsageError(unknown("kind of file", target.suffix, [f".{each}" for each in kinds]))
        try:
            self.figure.savefig(target, format=kind, dpi=DPI)
        except OSError as error:
            raise UsageError(f"cannot write {quote_path(target)}: {error.strerror}") from error
        return target

    def __repr__(self) -> str:
        titles = [axes.get_title() for axes in self.axes]
        return f"plot: {'; '.join(filter(None, titles))}"

    def _repr_png_(self) -> bytes:
        stream = BytesIO()
        self.figure.savefig(stream, format="png", dpi=DPI)
        return stream.getvalue()


def errors_of(
    values: Sequence[float], intervals: Sequence[tuple[float, float] | None]
) -> list[list[float]]:
    """Return how far intervals go below and above their values; None goes nowhere."""
    pairs = list(zip(values, intervals, strict=True))
    return [
        [max(value - low[0], 0.0) if low else 0.0 for value, low in pairs],
        [max(high[1] - value, 0.0) if high else 0.0 for value, high in pairs],
    ]


def check_number(count: int, what: str) -> None:
    """Refuse what cannot be drawn so that it can be read.

    Raises:
        UsageError: there is nothing, or too much.
    """
    if not count:
        raise UsageError(f"there is no {what} to draw")
    if count > MOST:
        raise UsageError(f"{count} {what}s are too many for a plot; draw at most {MOST} at a time")


def plain(text: str) -> str:
    """Return a text of a record as matplotlib draws it as it stands."""
    return text.replace("$", r"\$")
