r"""The text that each match of a regular expression must hold.

A log is searched for it before the expression is tried, as a search for a text takes a hundredth
of the time. `Speed: (\d+) samples/sec` holds " samples/sec" wherever it matches.
"""

from __future__ import annotations

import re

SET = r"\[\^?\]?(?:[^\[\]\\]|\\.)*\]"
TOKEN = re.compile(
    r"(?P<plain>[A-Za-z0-9 _:=,;%/'\"<>@!&~#`\]}-])"
    r"|\\(?P<escaped>[^A-Za-z0-9\x80-\U0010ffff])"
    rf"|(?P<other>\\[dDsSwWbBAZt]|{SET}|[.^$+]|[^\x00-\x7f])"
    r"|(?P<optional>[*?]|\{[^{}]*\})"
)
"""What stands for itself, with and without a backslash; for one character of several, or a place;
and what makes the one before it optional, or may."""
INNER = re.compile(
    rf"\\.|{SET}|(?P<opening>\((?:\?(?:P<\w+>|:|=|!|<=|<!))?(?!\?))|(?P<end>\))|[^\[(]"
)
"""What a group is made of."""


def required_literal(pattern: str) -> bytes | None:
    """Return the longest text outside of groups that each match holds, None where none is known.

    What is not understood, such as alternatives and flags, gives None.
    """
    runs, position = [""], 0
    while position < len(pattern):
        token = TOKEN.match(pattern, position)
        if token is None:
            position = end_of_group(pattern, position)
            if position < 0:
                return None
            runs.append("")
            continue
        position = token.end()
        if token["optional"]:
            runs[-1] = runs[-1][:-1]
        text = token["plain"] or token["escaped"]
        if text:
            runs[-1] += text
        else:
            runs.append("")
    return max(runs, key=len).encode() or None


def end_of_group(pattern: str, position: int) -> int:
    """Return where the group that begins here ends, -1 where none does or it is not understood."""
    depth = 0
    while (inner := INNER.match(pattern, position)) is not None:
        position = inner.end()
        depth += bool(inner["opening"]) - bool(inner["end"])
        if depth <= 0:
            return position if inner["end"] and depth == 0 else -1
    return -1
