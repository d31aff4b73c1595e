"""Tar archives, compressed or not, read once from their beginning to their end."""

from __future__ import annotations

import bz2
import gzip
import lzma
import tarfile
from typing import IO, TYPE_CHECKING, Any

from opperf.core.errors import quote
from opperf.fetching.bounds import ArchiveError

if TYPE_CHECKING:
    from pathlib import Path

    from opperf.fetching.bounds import Bounds

OPENERS = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ\x00": lzma.open}
"""By the first bytes."""
LONG_HEADERS = frozenset(
    {tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE}
    | {tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK}
)
MOST_OF_A_HEADER = 2**16
CHUNK = 2**20


class BoundedHeader(tarfile.TarInfo):
    """A member's header; what goes before it, such as a long name, is read into memory."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> BoundedHeader:
        """Return the header of a block."""
        header = super().frombuf(buf, encoding, errors)
        if header.type in LONG_HEADERS and header.size > MOST_OF_A_HEADER:
            raise ArchiveError(f"a header of {header.size} bytes")
        return header


class CountedStream:
    """What an archive becomes, of which no more comes than is allowed."""

    def __init__(self, file: IO[bytes], most: int) -> None:
        self.file = file
        self.most = most
        self.count = 0

    def read(self, size: int) -> bytes:
        """Return the next bytes."""
        try:
            chunk = self.file.read(size)
        except OSError as error:
            if error.errno is None:  # what gzip and bz2 raise for damaged data
                raise ArchiveError(str(error)) from None
            raise
        self.count += len(chunk)
        if self.count > self.most:
            raise ArchiveError(f"it becomes more than {self.most} bytes")
        return chunk


def extract_tar(archive: Path, folder: Path, bounds: Bounds) -> None:
    """Extract a tar archive.

    Raises:
        ArchiveError: it holds what is not extracted.
    """
    if not hasattr(tarfile, "data_filter"):
        raise ArchiveError(
            "this Python lacks what does so safely; 3.10.12, 3.11.4 and newer have it"
        )
    with archive.open("rb") as raw:
        begin = raw.read(8)
    opener: Any = next((each for magic, each in OPENERS.items() if begin.startswith(magic)), open)
    with opener(archive, "rb") as file:
        stream: Any = CountedStream(file, bounds.most)
        with tarfile.open(fileobj=stream, mode="r|", tarinfo=BoundedHeader) as tar:
            while member := tar.next():
                check_member(member, bounds)
                tar.extract(member, folder, filter="data")
                tar.members.clear()  # type: ignore[attr-defined]
        while stream.read(CHUNK):  # the check sum is at the end
            pass


def check_member(member: tarfile.TarInfo, bounds: Bounds) -> None:
    """Refuse what would be written elsewhere, or is neither file, folder nor link.

    Python's own filter is asked as well; long paths of links have fooled it (CVE-2025-4517).
    """
    kinds = {"file": member.isreg, "folder": member.isdir, "link": member.issym}
    kind = next((name for name, is_it in kinds.items() if is_it()), "file")
    path = bounds.place(member.name, kind)
    if member.issym():
        bounds.check_link(path, member.linkname)
    elif member.islnk():
        bounds.check_hard_link(member.linkname)
    elif member.isreg():
        bounds.add(member.size)
    elif not member.isdir():
        raise ArchiveError(f"neither file nor folder: {quote(member.name)}")
