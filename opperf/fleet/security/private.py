"""Files and folders that only their owner may read, each there in full or not at all."""

from __future__ import annotations

import fcntl
import os
import shutil
import stat
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

from opperf.core.disk import sync_directory, write_through
from opperf.core.errors import UsageError, quote_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

SECRET, PUBLIC, FOLDER = 0o600, 0o644, 0o700
UNFINISHED = ".unfinished-"
"""How the name begins of what is still being written."""


@contextmanager
def sole_writer(folder: Path) -> Iterator[None]:
    """Make the folder if it is missing, and keep it from other writers; one waits for another.

    What a writer left that was killed is removed.

    Raises:
        OSError: the folder can be neither made nor opened.
    """
    folder.mkdir(mode=FOLDER, parents=True, exist_ok=True)
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        for left in folder.rglob(f"{UNFINISHED}*"):
            shutil.rmtree(left)
        yield
    finally:
        os.close(descriptor)


def write_folder(folder: Path, files: Mapping[str, tuple[bytes, int]]) -> None:
    """Write a new folder with these files, by name: content and mode.

    Raises:
        OSError: there is a folder that holds something, or it cannot be written.
    """
    folder.parent.mkdir(mode=FOLDER, exist_ok=True)
    unfinished = Path(mkdtemp(prefix=UNFINISHED, dir=folder.parent))
    try:
        for name, (content, mode) in files.items():
            write_new(unfinished / name, content, mode)
        sync_directory(unfinished)
        unfinished.rename(folder)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    sync_directory(folder.parent)


def replace_file(path: Path, content: bytes, mode: int) -> None:
    """Replace a file by one with this content, in one step.

    Raises:
        OSError: it cannot be written; the old one stands.
    """
    unfinished = Path(mkdtemp(prefix=UNFINISHED, dir=path.parent))
    try:
        write_new(unfinished / path.name, content, mode)
        (unfinished / path.name).replace(path)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    sync_directory(path.parent)


def write_new(path: Path, content: bytes, mode: int) -> None:
    """Write a file that nobody but its owner can read at any moment, then give it its mode."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, SECRET)
    with os.fdopen(descriptor, "wb", buffering=0) as file:
        os.fchmod(file.fileno(), mode)
        write_through(file, content)


def require_private(path: Path) -> None:
    """Refuse a key that others may read, by the rule of PostgreSQL's client.

    A key of one's own is for its owner only; the superuser's may be for one's group as well, which
    is how Kubernetes hands secrets to a container that is no superuser.

    Raises:
        UsageError: others may read it; says what to type.
        OSError: it cannot be looked at.
    """
    found = path.stat()
    mode = stat.S_IMODE(found.st_mode)
    handed = found.st_uid == 0 and os.getuid() != 0
    if mode & (0o027 if handed else 0o077):
        raise UsageError(
            f"{quote_path(path)} has mode {mode:04o}: others can read or write this private key; "
            f"chmod {'640' if handed else '600'} {quote_path(path)}"
        )
