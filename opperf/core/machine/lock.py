"""One measurement at a time: a lock that a machine's comparisons take in turns."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from opperf.core.errors import UsageError
from opperf.core.machine.turns import local_turn

if TYPE_CHECKING:
    from collections.abc import Iterator


def lock_path() -> Path:
    """Return the file that stands for this machine, for this user."""
    owner = os.getuid() if hasattr(os, "getuid") else "user"
    return Path(tempfile.gettempdir()) / f"opperf-{owner}.lock"


@contextmanager
def measuring_alone(*, wait: bool) -> Iterator[None]:
    """Hold this machine's lock; the system lets go of it however the process ends.

    Raises:
        UsageError: another process holds it and nobody wants to wait, or it cannot be had.
    """
    try:
        from fcntl import LOCK_EX, LOCK_NB, flock
    except ImportError:  # Windows
        yield
        return
    path = lock_path()
    try:
        # Anybody may put a link of this name into /tmp: it is neither followed nor truncated.
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise UsageError(
            f"cannot open {path}: {error.strerror}; remove it, or set TMPDIR to another folder"
        ) from error
    try:
        try:
            flock(descriptor, LOCK_EX | (0 if wait else LOCK_NB))
        except BlockingIOError:
            raise UsageError(
                f"another comparison is being measured on this machine ({path}): "
                "both would be wrong; give --wait to begin after it"
            ) from None
        with local_turn(unheard):
            yield
    finally:
        os.close(descriptor)


def unheard(_line: str) -> None:
    """Tell nobody: whoever compares waits for a fleet's job as for another comparison."""
