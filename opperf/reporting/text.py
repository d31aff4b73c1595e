"""Text for other people's terminals: nothing they would obey, no wider than they are."""

from __future__ import annotations

import os
import textwrap
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import TextIO

BEYOND_ASCII = "±…█░"
"""Every character outside ASCII that opperf itself writes."""

MOST_LINES = 6
"""Lines that one line is wrapped to; a reason may have 4 KiB."""
LONGEST_LINE, MOST_SAID = 1000, 20
"""Characters of a line and lines of a message; an ImportError may quote 100 KB."""
NARROWEST = 40
"""Characters below which lines are cut: wrapped, they would be a column of single words."""


def clean(value: object) -> str:
    """Return one line of words, one space apart, that no terminal obeys."""
    text = str(value)
    if text.isprintable() and "  " not in text:  # most are, and a report has very many
        return text.strip(" ")
    spaced = "".join(" " if letter.isspace() else letter for letter in text)
    return " ".join(without_controls(spaced).split())


def message(text: str) -> str:
    """Return what may stand on a terminal of a message that quotes names and words of others.

    Its lines stay lines, since some point to a place; none is longer than `LONGEST_LINE`.
    """
    lines = [without_controls(line.expandtabs()) for line in text.split("\n")]
    return "\n".join(shorten(line, LONGEST_LINE) for line in lines[:MOST_SAID])


def without_controls(text: str) -> str:
    """Return the text without control characters, direction overrides and lone surrogates."""
    return "".join(letter for letter in text if unicodedata.category(letter)[0] != "C")


def shorten(text: str, width: int, *, ascii_only: bool = False) -> str:
    """Return the text, cut to so many characters with an ellipsis where it is longer."""
    if len(text) <= width:
        return text
    mark = "..." if ascii_only else "…"
    return text[: max(width - len(mark), 0)].rstrip() + mark[: max(width, 0)]


def wrap(line: str, width: int, *, ascii_only: bool = False) -> list[str]:
    """Return the line as lines of at most so many characters, those after the first indented.

    What does not fit into `MOST_LINES` of them is cut. A leading indent is kept.
    """
    mark = "..." if ascii_only else "…"
    if width < NARROWEST:
        return [shorten(line, width, ascii_only=ascii_only)]
    indent = " " * (len(line) - len(line.lstrip(" ")) + 2)
    return textwrap.wrap(
        line, width, subsequent_indent=indent, break_on_hyphens=False, max_lines=MOST_LINES,
        placeholder=mark,
    )  # fmt: skip


def to_ascii(text: str) -> str:
    """Return the text with a question mark for every character beyond ASCII."""
    return text.encode("ascii", "replace").decode("ascii")


def is_ascii(stream: TextIO) -> bool:
    """Return whether the stream, as under LANG=C, cannot show what opperf would like to write."""
    try:
        BEYOND_ASCII.encode(getattr(stream, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return True
    return False


def columns(stream: TextIO, default: int = 80) -> int:
    """Return how wide the stream's terminal is; COLUMNS goes before what the terminal says."""
    asked = os.environ.get("COLUMNS", "")
    if asked.isdecimal() and int(asked):
        return int(asked)
    try:
        return os.get_terminal_size(stream.fileno()).columns or default
    except (OSError, ValueError, AttributeError):
        return default
