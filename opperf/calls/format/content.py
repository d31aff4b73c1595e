"""The bytes of a file of calls, no more of them than can be worked with."""

from __future__ import annotations

import gzip
import zlib
from typing import TYPE_CHECKING

from opperf.core.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path
    from typing import IO

LARGEST = 256 * 2**20
"""Bytes of a trace, once it is unpacked."""
LARGEST_OF_CALLS = 64 * 2**20
"""Bytes of a calls file or a log; all public logs together have 2.3 million."""
MOST_CALLS = 200_000
"""Distinct calls of a file; all public logs together have 18,000."""
PACKED = b"\x1f\x8b"


def read_bytes(path: Path) -> bytes:
    """Return what a file holds, unpacked where it was packed by gzip.

    Raises:
        OSError: It cannot be read.
        UsageError: It is damaged or too large.
    """
    with path.open("rb") as file:
        packed = file.read(len(PACKED)) == PACKED
        file.seek(0)
        data = unpacked(file) if packed else file.read(LARGEST + 1)
    check_size(data, LARGEST)
    return data


def unpacked(file: IO[bytes]) -> bytes:
    """Return what gzip has packed, no more of it than is read."""
    try:
        with gzip.GzipFile(fileobj=file) as stream:
            return stream.read(LARGEST + 1)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise UsageError(f"damaged by gzip's rules: {error}") from None


def check_size(data: bytes, most: int) -> None:
    """Refuse more bytes than `most`."""
    if len(data) > most:
        raise UsageError(f"larger than {most >> 20} MiB")


def check_count(calls: int) -> None:
    """Refuse more distinct calls than `MOST_CALLS`."""
    if calls > MOST_CALLS:
        raise UsageError(f"more than {MOST_CALLS:,} distinct calls")
