"""What the doctor found, for a terminal: findings with advice, then noise and peaks."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from opperf.core.roofline.peaks import COPY, IN_PLACE
from opperf.core.statistics.repeatability import NEEDED
from opperf.core.units import format_bytes, format_rate, format_seconds
from opperf.reporting.layout import Column, hidden_lines, render, spare
from opperf.reporting.one_unit import with_unit
from opperf.reporting.text import clean, to_ascii

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.finding import Finding
    from opperf.core.roofline.peaks import Bandwidth, Peaks, Product
    from opperf.core.statistics.repeatability import Repeatability

GAP = "  "
TIME = "time"
LEAST_TEXT = 20
"""Characters that advice gets, however narrow the terminal."""
KINDS = {
    COPY: ("copy", "best"),
    "add": ("best",),
    "read": ("best",),
    IN_PLACE: ("in place",),
}
"""The columns that a way of moving memory counts for."""


def checkup(
    findings: Sequence[Finding],
    noise: Sequence[Repeatability],
    peaks: Peaks | None,
    width: int,
    *,
    ascii_only: bool = False,
) -> str:
    """Return all of it, no line wider than `width`."""
    parts = [
        finding_lines(findings, width, ascii_only=ascii_only),
        noise_lines(noise, width, ascii_only=ascii_only),
        peak_lines(peaks, width, ascii_only=ascii_only) if peaks else [],
    ]
    text = "\n\n".join("\n".join(part) for part in parts if part)
    return to_ascii(text) if ascii_only else text


def finding_lines(findings: Sequence[Finding], width: int, *, ascii_only: bool) -> list[str]:
    """Return a line a finding, and its advice below it."""
    levels, checks = (
        max(len(getattr(finding, name)) for finding in findings) for name in ("level", "check")
    )
    lines = []
    for finding in findings:
        head = f"{finding.level:<{levels}}{GAP}{finding.check:<{checks}}{GAP}"
        lines += hang(finding.figure, width, head)
        lines += hang(finding.advice, width, " " * len(head))
    return [to_ascii(line) for line in lines] if ascii_only else lines


def hang(text: str, width: int, head: str) -> list[str]:
    """Return the text behind the head, folded within the width; nothing for no text.

    Where that leaves less than `LEAST_TEXT` characters, the text stands below the head.
    """
    if width - len(head) >= LEAST_TEXT:
        return wrap(clean(text), width, initial_indent=head, subsequent_indent=" " * len(head))
    below = wrap(clean(text), max(width, 1 + len(GAP)), initial_indent=GAP, subsequent_indent=GAP)
    return [*wrap(head, max(width, 1)), *below] if text else []


def noise_lines(noise: Sequence[Repeatability], width: int, *, ascii_only: bool) -> list[str]:
    """Return the table of A against A, and what its columns mean."""
    if not noise:
        return []
    columns = [
        Column(header="noise floor", cells=[one.subject for one in noise], least=LEAST_TEXT // 2),
        Column(header="framework", cells=[clean(one.framework) for one in noise]),
        with_unit(
            Column(
                header=TIME, cells=[format_seconds(o.seconds, 0.05) for o in noise], align="right"
            )
        ),
        Column(header="inside", cells=[share(one.inside) for one in noise], align="right"),
        Column(header="between", cells=[share(one.between) for one in noise], align="right"),
        Column(header="apart", cells=[share(one.apart) for one in noise], align="right"),
        *(
            Column(
                header=str(sessions),
                cells=[share(one.smallest(sessions)) for one in noise],
                align="right",
            )
            for sessions in NEEDED
        ),
    ]
    sessions = min(one.sessions for one in noise)
    legend = (
        (
            "inside, between, apart: how far two measurements of the same code differ (standard "
            "deviation of their ratio): inside one process, between two fresh ones in turns, and "
            f"one after the other; {sessions} pairs of processes"
        ),
        "6, 12, 24 sessions: the smallest change that opperf ab shows in nine of ten cases",
    )
    return [
        *fitting(columns, width, ascii_only=ascii_only),
        *(line for text in legend for line in hang(text, width, "")),
    ]


def fitting(columns: Sequence[Column], width: int, *, ascii_only: bool) -> list[str]:
    """Return a table's lines, the last columns named below it where there is no room for them."""
    order = [column.header for column in reversed(columns[1:]) if column.header != TIME]
    shown, hidden = spare(columns, width, [*order, TIME])
    return [*render(shown, width, ascii_only=ascii_only), *hidden_lines(hidden, width)]


def share(value: float) -> str:
    """Return a fraction in percent."""
    return f"{value:.1%}"


def peak_lines(peaks: Peaks, width: int, *, ascii_only: bool) -> list[str]:
    """Return bandwidths by working set and products by dtype, a column a number of threads."""
    parts = [
        [*fitting(table, width, ascii_only=ascii_only), *below]
        for table, below in (
            (memory_columns(peaks), memory_legend(peaks, width)),
            (product_columns(peaks), []),
        )
        if table
    ]
    return [line for part in parts for line in (*part, "")][:-1]


def memory_columns(peaks: Peaks) -> list[Column]:
    """Return how fast memory was moved: copied, the best of all ways, and the best in place."""
    sizes = sorted({found.nbytes for found in peaks.bandwidths})
    best: dict[tuple[str, int], float] = {}
    for found in peaks.bandwidths:
        for kind in KINDS.get(found.kind, ()):
            key = f"{kind} {place_text(found)}", found.nbytes
            best[key] = max(best.get(key, 0.0), found.rate)
    first = Column(header="working set", cells=[*map(format_bytes, sizes)], align="right")
    headers = dict.fromkeys(header for header, _ in best)
    columns = [
        Column(
            header=header,
            cells=[gigabytes(best.get((header, size))) for size in sizes],
            align="right",
        )
        for header in headers
    ]
    return [first, *columns] if columns else []


def product_columns(peaks: Peaks) -> list[Column]:
    """Return how fast matrices were multiplied."""
    best: dict[tuple[str, str], float] = {}
    for found in peaks.products:
        key = place_text(found), found.dtype
        best[key] = max(best.get(key, 0.0), found.rate)
    dtypes = [*dict.fromkeys(dtype for _, dtype in best)]
    columns = [
        Column(
            header=place,
            cells=[format_rate(best.get((place, dtype)), "FLOP/s") for dtype in dtypes],
            align="right",
        )
        for place in dict.fromkeys(place for place, _ in best)
    ]
    return [Column(header="product", cells=dtypes), *columns] if columns else []


def gigabytes(rate: float | None) -> str:
    """Return a rate in GB/s, without the unit, which the table names below."""
    return format_rate(rate and rate / 1e9, "").strip()


def place_text(peak: Bandwidth | Product) -> str:
    """Return "2t" for two threads, or a device's name."""
    return f"{peak.threads}t" if peak.device == "cpu" else clean(peak.device)


def memory_legend(peaks: Peaks, width: int) -> list[str]:
    """Return what the columns mean, and which callables the rates were reached by."""
    ways = ", ".join(dict.fromkeys(clean(found.way) for found in peaks.bandwidths))
    text = (
        "GB/s read and written; 1t: on one thread; best: of copying, adding and "
        f"reading; in place: read and written to the same place. Measured by {ways}."
    )
    return wrap(text, max(width, 1))
