"""Archives made into folders: nothing beyond the folder, no more than an archive may hold."""

from __future__ import annotations

import lzma
import tarfile
import zipfile
import zlib
from typing import TYPE_CHECKING

from opperf.core.errors import UsageError
from opperf.fetching.bounds import FREE, MOST_BYTES, RATIO, ArchiveError, Bounds
from opperf.fetching.tar_archive import extract_tar
from opperf.fetching.zip_archive import extract_zip

if TYPE_CHECKING:
    from pathlib import Path

ENDS = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz", ".zip")
FAULTS = (
    tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, ValueError,
    RuntimeError, NotImplementedError,
)  # fmt: skip
"""What the standard library raises for an archive that is damaged, encrypted or of another kind."""


def is_archive(name: str) -> bool:
    """Return whether a file of this name is extracted."""
    return name.lower().endswith(ENDS)


def stem_of(name: str) -> str:
    """Return a file's name without the end that says that it is an archive."""
    ends = [end for end in ENDS if name.lower().endswith(end)]
    return name[: -max(map(len, ends))] if ends else name


def extract(archive: Path, folder: Path, name: str) -> None:
    """Extract an archive into an empty folder, which nobody uses before this has returned.

    Args:
        archive: the file; its content says which kind it is.
        folder: where to.
        name: what the archive is called in an error.

    Raises:
        UsageError: it is damaged, or holds what is not extracted.
        OSError: it cannot be written.
    """
    bounds = Bounds(most=min(MOST_BYTES, FREE + RATIO * archive.stat().st_size))
    try:
        if zipfile.is_zipfile(archive) and not name.lower().endswith(".tar"):
            extract_zip(archive, folder, bounds)
        else:
            extract_tar(archive, folder, bounds)
    except ArchiveError as error:
        raise UsageError(f"{name} is not extracted: {error}") from None
    except FAULTS as error:
        raise UsageError(f"{name} is not extracted: {error or type(error).__name__}") from None
