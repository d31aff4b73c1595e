"""Commands as a shell takes them: every word quoted, so that no name is more than a word."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from opperf.core.errors import UsageError, quote

if TYPE_CHECKING:
    from collections.abc import Sequence

END = "END-OF-INPUT"
"""What ends the text that a command reads."""


def line(words: Sequence[str]) -> str:
    """Return a command as one line."""
    return shlex.join(words)


def with_input(words: Sequence[str], text: str, then: Sequence[str] = ()) -> str:
    """Return a command with what it reads from its standard input, and one to run if it succeeds.

    Raises:
        UsageError: the text has the line that is to end it.
    """
    if END in text.splitlines():
        raise UsageError(f"a line of what {words[0]} is to read is {END}")
    first = f"{line(words)} <<'{END}'{' &&' if then else ''}"
    return "\n".join([first, text.rstrip(), END, *([line(then)] if then else [])])


def refuse_control(name: str, text: str) -> None:
    """Refuse a text that is empty, or has a new line or anything else that is not printed."""
    if not text or not text.isprintable():
        raise UsageError(f"{name} {quote(text)}: must be printable, and not empty")
