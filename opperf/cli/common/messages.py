"""What is said on stderr, and streams that nobody reads any more."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from opperf.reporting.text import message

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TextIO


def say(line: str) -> None:
    """Print a line on stderr, where messages go; a closed pipe is no reason to stop.

    Nor is a signal's handler that interrupts another line, which is a RuntimeError.
    """
    with suppress(OSError, ValueError, RuntimeError):
        print(f"opperf: {message(line)}", file=sys.stderr, flush=True)


def teller(*, quiet: bool) -> Callable[[str], None]:
    """Return what tells of progress line by line, or tells nobody."""
    return (lambda _line: None) if quiet else say


@contextmanager
def leaving_early() -> Iterator[None]:
    """Let whoever reads our output stop reading; what was printed is flushed."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        silence(sys.stdout)


def forget_unsaid() -> None:
    """Drop lines that nobody took; Python would try again as it ends, and end with 120."""
    try:
        sys.stderr.flush()
    except (OSError, ValueError):
        silence(sys.stderr)


def silence(stream: TextIO) -> None:
    """Send what is still to be printed nowhere; Python would complain while it shuts down."""
    with suppress(OSError, ValueError):  # closed altogether
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
