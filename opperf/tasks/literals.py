"""Values of a tasks file: lists of quoted texts, whole numbers, switches."""

from __future__ import annotations

import re

from opperf.core.errors import UsageError, quote

MOST_ITEMS = 1000
ITEM = re.compile(r"""\s*[rR]?(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\s*(,|$)""", re.DOTALL)
SWITCHES = {"yes": True, "no": False}


def parse_list(text: str) -> tuple[str, ...]:
    r"""Return the texts of "['a', 'b']"; a backslash stands for itself, as in r'\d'.

    Nothing of it is evaluated.

    Raises:
        UsageError: It is no such list; says where it stops being one.
    """
    inner = text.strip()
    if not (inner.startswith("[") and inner.endswith("]")):
        raise UsageError(f"must be a list such as ['a', 'b'], not {quote(text)}")
    inner = inner[1:-1].strip()
    found: list[str] = []
    at = 0
    while at < len(inner):
        match = ITEM.match(inner, at)
        if match is None:
            raise UsageError(
                f"must be a list of quoted texts; {quote(inner[at : at + 40])} is none"
            )
        found.append(match[2] if match[1] is None else match[1])
        at = match.end()
        if len(found) > MOST_ITEMS:
            raise UsageError(f"a list of more than {MOST_ITEMS} texts")
    return tuple(found)


def parse_whole(text: str, most: int) -> int:
    """Return a whole number from 0 to `most`."""
    if not re.fullmatch(r"[0-9]{1,9}", text.strip()) or int(text) > most:
        raise UsageError(f"must be a whole number from 0 to {most}, not {quote(text)}")
    return int(text)


def parse_switch(text: str) -> bool:
    """Return whether a switch is on."""
    if text.strip() not in SWITCHES:
        raise UsageError(f"must be yes or no, not {quote(text)}")
    return SWITCHES[text.strip()]
