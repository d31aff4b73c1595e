"""The seconds of a method in which its framework's profiler records: START:END, one or several.

The process of the method imports this module: it needs the standard library only.
"""

from __future__ import annotations

from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from opperf.core.errors import UsageError, quote

if TYPE_CHECKING:
    from collections.abc import Sequence

FLAG = "--profiler_enabled_time"
MOST = 100
LONGEST = 1e8
"""Seconds: three years."""


class ProfileWindow(NamedTuple):
    """Seconds after a method's start; the end is not in it, and infinite for the method's own."""

    begin: float
    end: float

    def __str__(self) -> str:
        """Return "10:20", or "10:" where the method ends it."""
        return f"{self.begin:g}:" + ("" if self.end == inf else f"{self.end:g}")


def parse_windows(texts: Sequence[str]) -> list[ProfileWindow]:
    """Return the windows of texts such as "10:20,40:".

    Raises:
        UsageError: One is none, or begins before the one before it has ended.
    """
    windows = [parse_window(part.strip()) for text in texts for part in text.split(",")]
    if len(windows) > MOST:
        raise UsageError(f"{FLAG}: {len(windows)} windows; at most {MOST}")
    windows.sort()
    for before, after in pairwise(windows):
        if after.begin < before.end:
            raise UsageError(f"{FLAG}: {before} and {after} overlap; each must begin after another")
    return windows


def parse_window(text: str) -> ProfileWindow:
    """Return the window of one text."""
    begin, colon, end = text.partition(":")
    try:
        found = ProfileWindow(float(begin), float(end) if end else inf)
    except ValueError:
        found = ProfileWindow(inf, inf)
    if not colon or not 0 <= found.begin <= LONGEST or not found.begin < found.end:
        raise UsageError(
            f"{FLAG} {quote(text)}: must be START:END in seconds, END above START, "
            "or START: until the method ends"
        )
    return found
