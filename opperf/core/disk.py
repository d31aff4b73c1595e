"""Writing so that it lasts: what has returned from here survives a crash of the machine."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from io import FileIO
    from pathlib import Path


def write_through(file: FileIO, data: bytes) -> None:
    """Write all of the data and wait until the disk holds it."""
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) :]
    os.fsync(file)


def write_whole(path: Path, data: bytes) -> None:
    """Write a file that, whatever happens, is afterwards there in full or not at all."""
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        with temporary.open("wb", buffering=0) as file:
            write_through(file, data)
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
    sync_directory(path.parent)


def sync_directory(path: Path) -> None:
    """Wait until the disk holds the directory's entries, where the system can open directories."""
    flag = getattr(os, "O_DIRECTORY", None)
    if flag is None:
        return
    descriptor = os.open(path, os.O_RDONLY | flag)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
