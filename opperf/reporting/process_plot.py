"""Samples of a method's processes as curves over time, in a PDF."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from opperf.core.errors import NotInstalledError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.watching.usage import TreeSample

INCHES = (8.0, 7.0)
MEBI = 2**20
PANELS = (
    ("rss", "resident, MiB", MEBI),
    ("vms", "virtual, MiB", MEBI),
    ("cpu_percent", "CPU, %", 1),
)
"""The field, its axis, and what its values are divided by."""


def require() -> None:
    """Refuse where matplotlib is not installed."""
    try:
        import matplotlib as mpl
    except ImportError as error:
        remedy = "pip install 'opperf[plot]'"
        raise NotInstalledError(f"a plot needs matplotlib ({error}): {remedy}") from None
    del mpl


def draw_samples(samples: Sequence[TreeSample], title: str) -> bytes:
    """Return a PDF with a panel each for resident memory, virtual memory and processors.

    No display is needed, and nothing of matplotlib's own state is changed.

    Raises:
        NotInstalledError: matplotlib is not installed.
    """
    require()
    from matplotlib.backends.backend_pdf import FigureCanvasPdf
    from matplotlib.figure import Figure

    figure = Figure(figsize=INCHES, layout="constrained")
    FigureCanvasPdf(figure)
    panels = figure.subplots(len(PANELS), sharex=True)
    times = [sample.time for sample in samples]
    marker = "." if len(samples) < 100 else None  # noqa: PLR2004 - of few, each is shown
    for panel, (name, label, unit) in zip(panels, PANELS, strict=True):
        panel.plot(times, [getattr(sample, name) / unit for sample in samples], marker=marker)
        panel.set_ylabel(label)
        panel.set_ylim(bottom=0)
        panel.grid(alpha=0.3)
    figure.suptitle(title, fontsize="medium", parse_math=False)
    panels[-1].set_xlabel("seconds since the start")
    stream = BytesIO()
    figure.savefig(stream, format="pdf", metadata={"Title": title})
    return stream.getvalue()
