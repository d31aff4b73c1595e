"""Where a store is: a SQLite file by its path, or PostgreSQL by a URL."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import make_url
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError

from opperf.core.errors import UsageError
from opperf.storing.addresses import redact

if TYPE_CHECKING:
    from collections.abc import Iterable

POSTGRESQL = ("postgresql", "postgres")
DRIVER = "postgresql+psycopg"
EXPECTED = "a file such as results.db, or postgresql://user@host/database"
NETWORK = (
    "9p", "afs", "beegfs", "ceph", "cifs", "coda", "fuse.glusterfs", "fuse.s3fs", "fuse.sshfs",
    "gfs", "gfs2", "glusterfs", "gpfs", "lustre", "ncpfs", "nfs", "nfs4", "ocfs2", "smb3", "smbfs",
    "virtiofs",
)  # fmt: skip
"""File systems whose locks or shared memory cannot be trusted between machines."""
MOUNTS = Path("/proc/self/mountinfo")
ESCAPE = re.compile(r"\\([0-7]{3})")


def parse_address(text: str) -> URL:
    """Return the URL of a store.

    Raises:
        UsageError: It is of another kind of database, or a SQLite file on a network file system.
    """
    if "://" not in text:
        return sqlite_address(Path(text))
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise UsageError(f"store {redact(text)!r} is no URL; expected {EXPECTED}") from None
    if url.drivername == "sqlite":
        return sqlite_address(Path(url.database or ""))
    if url.drivername not in (*POSTGRESQL, DRIVER):
        raise UsageError(f"store {redact(text)!r}: unknown database; expected {EXPECTED}")
    return url.set(drivername=DRIVER)


def sqlite_address(path: Path) -> URL:
    """Return the URL of a SQLite file, unless SQLite must not be used there."""
    if path.name in {"", ":memory:"} or path.is_dir():
        raise UsageError(f"store {str(path)!r} is no file; expected {EXPECTED}")
    kind = file_system(path.absolute().parent)
    if kind in NETWORK:
        raise UsageError(
            f"store {path} lies on the network file system {kind}, whose locks SQLite cannot rely "
            "on: two writers would damage it; use a local disk, or PostgreSQL by its URL"
        )
    return URL.create("sqlite+pysqlite", database=str(path.absolute()))


def file_system(folder: Path, mounts: Path = MOUNTS) -> str | None:
    """Return the kind of file system that a folder lies on, None where nobody says."""
    try:
        lines = mounts.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
        resolved = folder.resolve()
    except (OSError, RuntimeError):
        return None
    return kind_of(resolved, lines)


def kind_of(folder: Path, lines: Iterable[str]) -> str | None:
    """Return the kind of the innermost mount that holds the folder; of two, the later hides."""
    innermost: tuple[int, str] | None = None
    for line in lines:
        fields, _, rest = line.partition(" - ")
        mount = Path(ESCAPE.sub(lambda match: chr(int(match[1], 8)), fields.split(" ")[4]))
        depth = len(mount.parts)
        if folder.is_relative_to(mount) and (innermost is None or depth >= innermost[0]):
            innermost = depth, rest.split(" ")[0]
    return innermost[1] if innermost else None
