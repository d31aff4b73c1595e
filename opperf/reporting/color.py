"""Color of final tables on a terminal: of what is not to be relied on, failed or has changed."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from opperf.core.results.status import TROUBLE

if TYPE_CHECKING:
    from typing import TextIO

TROUBLES = "|".join(re.escape(status.replace("_", " ")) for status in TROUBLE)
STYLES = {
    "bold": r"\A[^\n]+",
    "yellow": r"! +[0-9.]+(?:e[+-][0-9]+)?(?: +(?:±|\+-)[0-9.?%]+)?|\b(?:undecided|noisy)\b",
    "bold red": rf"\b(?:SLOWER|WORSE|NEWLY FAILS|WRONG RESULT|{TROUBLES})\b",
    "bold green": r"\b(?:FASTER|BETTER|NEWLY WORKS)\b",
    "dim": r"\b(?:unsupported|skipped)\b",
}
"""What is shown in which style of Rich's; the first that matches at a place holds there."""
MARKS = re.compile("|".join(f"({pattern})" for pattern in STYLES.values()))
OFF, PLAIN_TERMINALS = "0", ("dumb", "unknown")


def has_color(stream: TextIO) -> bool:
    """Return whether a stream is to have color.

    NO_COLOR goes before CLICOLOR_FORCE, and that before what the stream is.
    """
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("CLICOLOR_FORCE", OFF) not in {"", OFF}:
        return True
    if os.environ.get("CLICOLOR") == OFF or os.environ.get("TERM", "") in PLAIN_TERMINALS:
        return False
    return stream.isatty()


def colored(text: str, stream: TextIO) -> str:
    """Return a table as the stream is to show it: the same, or in color."""
    if not has_color(stream):
        return text
    from rich.color import ColorSystem
    from rich.style import Style

    styles = [Style.parse(name) for name in STYLES]

    def paint(match: re.Match[str]) -> str:
        style = styles[(match.lastindex or 1) - 1]
        return style.render(match.group(), color_system=ColorSystem.STANDARD)

    return MARKS.sub(paint, text)
