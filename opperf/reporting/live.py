"""What is printed as each operator finishes: a line a direction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.reporting.text import clean, shorten, to_ascii
from opperf.reporting.wording import direction_text, given_text, operator_text, time_parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from opperf.core.results.result import Result

PLACES = (8, 40, 9)
"""Characters for framework, operator and direction: fixed, for the next lines are not known."""


def live_lines(
    results: Iterable[Result], width: int = 100, *, ascii_only: bool = False
) -> list[str]:
    """Return lines such as "pytorch  Add (64,64)x2  forward  429 us ±0.3%", below each other."""
    lines = []
    for result in results:
        line = " ".join(cells(result, ascii_only=ascii_only)).rstrip()
        line = shorten(line, width, ascii_only=ascii_only)
        lines.append(to_ascii(line) if ascii_only else line)
    return lines


def cells(result: Result, *, ascii_only: bool) -> Iterator[str]:
    """Yield the parts of a line, each in its place, and last why there is no sound time."""
    what = (
        clean(result.operator["framework"]),
        f"{operator_text(result)} {given_text(result)}",
        direction_text(result.operator["direction"]),
    )
    for text, place in zip(what, PLACES, strict=True):
        yield f"{shorten(text, place, ascii_only=ascii_only):<{place}}"
    value, spread = time_parts(result, ascii_only=ascii_only)
    yield f"{value:>8} {spread:<6}" if spread else f"{value:<15}"
    yield "noisy" if result.status == "noisy" else clean(result.reason or "")
