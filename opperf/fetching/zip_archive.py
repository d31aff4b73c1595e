"""Zip archives."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING
from zipfile import ZipFile

from opperf.core.errors import quote
from opperf.fetching.bounds import ArchiveError

if TYPE_CHECKING:
    from pathlib import Path
    from zipfile import ZipInfo

    from opperf.fetching.bounds import Bounds

ENCRYPTED = 1
CHUNK = 2**20


def extract_zip(archive: Path, folder: Path, bounds: Bounds) -> None:
    """Extract a zip archive.

    Raises:
        ArchiveError: it holds what is not extracted.
    """
    with ZipFile(archive) as file:
        for member in file.infolist():
            kind = kind_of(member)
            target = folder / bounds.place(member.orig_filename, kind)
            if kind == "folder":
                target.mkdir(parents=True, exist_ok=True)
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            with file.open(member) as source, target.open("xb") as copy:
                while chunk := source.read(CHUNK):
                    bounds.add(len(chunk))
                    copy.write(chunk)
            if member.external_attr >> 16 & stat.S_IXUSR:
                target.chmod(0o755)


def kind_of(member: ZipInfo) -> str:
    """Return whether a member is a file or a folder; it may be nothing else."""
    mode = stat.S_IFMT(member.external_attr >> 16)
    if member.flag_bits & ENCRYPTED:
        raise ArchiveError(f"it is encrypted: {quote(member.filename)}")
    if mode not in {0, stat.S_IFREG, stat.S_IFDIR}:
        raise ArchiveError(f"a link or a device: {quote(member.filename)}")
    return "folder" if member.is_dir() else "file"
