"""What is printed as each operator finishes: a line a direction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.reporting.text import clean, pad, shorten, to_ascii
from opperf.reporting.wording import direction_text, flag, given_text, operator_text, time_parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from opperf.core.results.result import Result

FRAMEWORK, OPERATOR, DIRECTION = 8, 40, 9
"""Characters for each: fixed, for the next lines are not known."""
NARROWEST = 12
"""Characters that operator and inputs keep on a narrow terminal."""
TIME = 18
"""Characters for a time with its mark and its interval."""


def live_lines(results: Iterable[Result], width: int, *, ascii_only: bool = False) -> list[str]:
    """Return lines such as "pytorch  Add (64,64)x2  forward  429 us ±0.3%", below each other.

    None is wider than `width`. Companions are left out.
    """
    lines = []
    for result in results:
        if result.companion:
            continue
        line = " ".join(cells(result, width, ascii_only=ascii_only)).rstrip()
        line = shorten(line, width, ascii_only=ascii_only)
        lines.append(to_ascii(line) if ascii_only else line)
    return lines


def cells(result: Result, width: int, *, ascii_only: bool) -> Iterator[str]:
    """Yield the parts of a line, each in its place: the last one is the time, or why there is none.

    A mark stands before a time that is not to be relied on.
    """
    others = FRAMEWORK + DIRECTION + TIME + len("   ")
    room = min(max(width - others, NARROWEST), OPERATOR)
    what = (
        (clean(result.operator.framework), FRAMEWORK),
        (f"{operator_text(result)} {given_text(result)}", room),
        (direction_text(result.operator.direction), DIRECTION),
    )
    for text, place in what:
        yield pad(shorten(text, place, ascii_only=ascii_only), place)
    value, spread = time_parts(result, ascii_only=ascii_only)
    if spread:
        yield f"{flag(result):<2}{value:>8} {spread}"
    else:
        yield ": ".join(filter(None, [f"  {value}", clean(result.reason or "")]))
