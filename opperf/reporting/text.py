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


def cell_width(text: str) -> int:
    """Return how many columns of a terminal a text takes: CJK two each, combining marks none."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def pad(text: str, width: int, align: str = "left") -> str:
    """Return the text with spaces up to so many columns, behind it or before it."""
    spaces = " " * (width - cell_width(text))
    return spaces + text if align == "right" else text + spaces


def shorten(text: str, width: int, *, ascii_only: bool = False) -> str:
    """Return the text, cut to so many columns with an ellipsis where it is wider."""
    if cell_width(text) <= width:
        return text
    mark = "..." if ascii_only else "…"
    return cut(text, max(width - len(mark), 0)).rstrip() + mark[: max(width, 0)]


def cut(text: str, width: int) -> str:
    """Return as much of the text's beginning as fits into so many columns."""
    if text.isascii():
        return text[:width]
    from rich.cells import set_cell_size

    found = text if cell_width(text) <= width else set_cell_size(text, width)
    # Half of a wide character is a space to Rich, which no text of ours has there.
    return found if text.startswith(found) else found.rstrip(" ")


def wrap(line: str, width: int, *, ascii_only: bool = False) -> list[str]:
    """Return the line as lines of at most so many columns, those after the first indented.

    What does not fit into `MOST_LINES` of them is cut. A leading indent is kept.
    """
    mark = "..." if ascii_only else "…"
    if width < NARROWEST:
        return [shorten(line, width, ascii_only=ascii_only)]
    indent = " " * (len(line) - len(line.lstrip(" ")) + 2)
    if cell_width(line) != len(line):
        return wrap_cells(line, width, indent, mark)
    return textwrap.wrap(
        line, width, subsequent_indent=indent, break_on_hyphens=False, max_lines=MOST_LINES,
        placeholder=mark,
    )  # fmt: skip


def wrap_cells(line: str, width: int, indent: str, mark: str) -> list[str]:
    """Return a line with characters that are wider or narrower than a column, wrapped by columns.

    A word that no line holds, as a sentence of a script without spaces is, is divided.
    """
    lines: list[str] = []
    left = line.rstrip()
    while left and len(lines) < MOST_LINES:
        before = indent if lines else ""
        room = width - len(before)
        if cell_width(left) <= room:
            return [*lines, before + left]
        head = cut(left, room)
        space = head.rfind(" ")
        if space > 0 and head[:space].strip() and not left[len(head) :].startswith(" "):
            head = head[:space]
        lines.append(before + head.rstrip())
        left = left[len(head) :].lstrip()
    lines[-1] = cut(lines[-1], width - len(mark)).rstrip() + mark
    return lines


def fold(line: str, width: int) -> list[str]:
    """Return all of a line as lines of at most so many columns, those after the first indented.

    A leading indent is kept where there is room for it.
    """
    lines: list[str] = []
    left = line.strip()
    indent = " " * (len(line) - len(line.lstrip(" "))) if width >= NARROWEST // 4 else ""
    while left:
        room = max(width - len(indent), 1)
        head = left if cell_width(left) <= room else cut(left, room) or left[0]
        space = head.rfind(" ")
        if len(head) < len(left) and left[len(head)] != " " and space > 0:
            head = head[:space]
        lines.append(indent + head.rstrip())
        left = left[len(head) :].lstrip()
        if not lines[1:] and width >= NARROWEST // 4:
            indent += "  "
    return lines


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
