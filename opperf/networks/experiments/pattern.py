"""Regular expressions of experiment files, of bounded length, repetition and time."""

from __future__ import annotations

import math
import re
from typing import Any

import regex

from opperf.core.errors import UsageError, quote

LONGEST = 500
MOST_REPEATS = 1000
PATIENCE = 1.0
"""Seconds that a match may take."""
REPEAT = re.compile(r"\{(\d*),?(\d*)\}")


def match_beginning(pattern: str, text: str) -> Any:
    """Return the match of a pattern at the beginning of a text, None where there is none.

    Raises:
        UsageError: It is no pattern, a too costly one, or takes too long.
    """
    return apply(pattern, "match", text)


def match_whole(pattern: str, text: str) -> Any:
    """Return the match of a pattern with a whole text, None where there is none."""
    return apply(pattern, "fullmatch", text)


def apply(pattern: str, kind: str, text: str) -> Any:
    """Return a match of this kind."""
    repeats = [int(n[:9]) for pair in REPEAT.findall(pattern) for n in pair if n]
    if len(pattern) > LONGEST or math.prod(filter(None, repeats)) > MOST_REPEATS:
        raise UsageError(f"pattern {quote(pattern)}: too long, or repeats more than 1000 times")
    try:
        compiled = regex.compile(pattern, regex.VERSION0)
        return getattr(compiled, kind)(text, timeout=PATIENCE)
    except TimeoutError:
        raise UsageError(f"pattern {quote(pattern)}: takes more than {PATIENCE:g} s") from None
    except (regex.error, RecursionError, OverflowError, ValueError) as error:
        raise UsageError(f"pattern {quote(pattern)}: {error}") from None
