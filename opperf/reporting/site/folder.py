"""The folder of a site: one writer, whole files, and nothing of anybody else's is touched."""

from __future__ import annotations

import os
import re
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from opperf.core.disk import write_whole
from opperf.core.errors import UsageError, quote_path
from opperf.reporting.site import assets, points
from opperf.reporting.site.ledger import FILE, Ledger, ledger_of
from opperf.reporting.site.naming import PAGE
from opperf.storing.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

RUNS, OPERATORS, COMPARISONS, POINTS = "runs", "operators", "comparisons", "points"
PAGES = (RUNS, OPERATORS, COMPARISONS)
FOLDERS = (*PAGES, POINTS, assets.FOLDER)
INDEX = "index.html"
MARK = b'<meta name="generator" content="opperf report --site">'
BEGINNING = 400
"""Bytes of a page that hold the mark."""
BEGUN = f".{FILE}.tmp"
"""What the very first moment of writing may leave."""
UNFINISHED = re.compile(r"\..*\.[0-9]+\.part")
UNFINISHED_INDEX = f".{INDEX}.*.part"


@dataclass(frozen=True)
class SiteFiles:
    """The files of a site, to be written by several processes that have one parent."""

    path: Path
    force: bool = False

    def holds(self, name: str, size: int) -> bool:
        """Return whether a file that was written is still there, of the same size."""
        try:
            return (self.path / name).lstat().st_size == size
        except OSError:
            return False

    def write(self, name: str, content: bytes) -> bool:
        """Write a file of the site, and return whether it was not there as it is to be.

        Raises:
            StorageError: it cannot be written.
            UsageError: somebody else's file has its name.
        """
        path = self.path / name
        try:
            if path.is_file() and not path.is_symlink() and path.read_bytes() == content:
                return False
            if not self.force and os.path.lexists(path) and not is_own(path):
                raise UsageError(f"{path}: opperf did not write it; give --force to replace it")
            replace_whole(path, content)
        except OSError as error:
            raise StorageError(
                f"cannot write {path}: {error.strerror}; the pages before it are written: "
                "mend that, then give the command again"
            ) from error
        return True

    def remove_all_but(self, names: set[str]) -> int:
        """Remove the files that opperf wrote and that are no part of the site, and count them."""
        removed = 0
        for path in self.own_files():
            if f"{path.parent.name}/{path.name}" not in names:
                with suppress(OSError):
                    path.unlink()
                    removed += 1
        return removed

    def own_files(self) -> Iterator[Path]:
        """Yield the files that opperf wrote, those included that it had no time to finish.

        The index is not among them, and what was begun of it is.
        """
        yield from sorted(self.path.glob(UNFINISHED_INDEX))
        for name in FOLDERS:
            for path in sorted((self.path / name).iterdir()):
                if UNFINISHED.fullmatch(path.name) or is_own(path):
                    yield path


@contextmanager
def writing(path: Path, *, force: bool = False) -> Iterator[SiteFiles]:
    """Give a folder that is ours to write, and closed to every other process that writes a site.

    Raises:
        UsageError: it holds something else, another process writes it, or it cannot be written.
    """
    refuse_foreign(path, force=force)
    with ExitStack() as stack:
        try:
            path.mkdir(exist_ok=True)
            stack.callback(os.close, lock(path))
            if not (path / FILE).exists():  # the first thing: whatever follows is known as ours
                write_whole(path / FILE, Ledger().to_bytes())
            for name in FOLDERS:
                refuse_link(path / name)
                (path / name).mkdir(exist_ok=True)
        except OSError as error:
            raise UsageError(f"--site {quote_path(path)}: {error.strerror}") from error
        yield SiteFiles(path, force)


def replace_whole(path: Path, content: bytes) -> None:
    """Write a file that is there in full or as it was, whenever the process is killed."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        unfinished.unlink(missing_ok=True)
        with unfinished.open("xb") as file:
            file.write(content)
        unfinished.replace(path)
    except OSError:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
        raise


def is_own(path: Path) -> bool:
    """Return whether opperf wrote a file, by its name and its beginning."""
    if path.is_symlink() or not path.is_file():
        return False
    folder, name = path.parent.name, path.name
    if folder == assets.FOLDER:
        return assets.NAME.fullmatch(name) is not None
    with path.open("rb") as file:
        beginning = file.read(BEGINNING)
    if folder == POINTS:
        return not beginning or beginning.startswith(points.MAGIC)
    named = PAGE.fullmatch(name) if folder in PAGES else name == INDEX
    return bool(named) and MARK in beginning


def refuse_foreign(path: Path, *, force: bool) -> None:
    """Refuse a folder that holds anything but a site, and a place where there can be no folder."""
    shown = quote_path(path)
    try:
        if path.exists() and not path.is_dir():
            raise UsageError(f"--site {shown}: is a file; give a directory")
        if not path.exists() and not path.absolute().parent.is_dir():
            raise UsageError(f"--site {shown}: there is no directory {quote_path(path.parent)}")
        if force or not path.exists() or {one.name for one in path.iterdir()} <= {BEGUN}:
            return
        ledger = path / FILE
        if not ledger.is_file() or ledger_of(ledger.read_bytes()) is None:
            raise UsageError(
                f"--site {shown}: holds other files and no site of opperf; give an empty one, "
                "or --force to write among them"
            )
    except OSError as error:
        raise UsageError(f"--site {shown}: {error.strerror}") from error


def refuse_link(path: Path) -> None:
    """Refuse a folder of the site that lies elsewhere."""
    if path.is_symlink():
        raise UsageError(f"{quote_path(path)}: is a link; a site is written in its own folder only")


def lock(path: Path) -> int:
    """Return the open folder, which no other process writes until it is closed."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        from fcntl import LOCK_EX, LOCK_NB, flock

        flock(descriptor, LOCK_EX | LOCK_NB)
    except BlockingIOError as error:
        os.close(descriptor)
        raise UsageError(
            f"--site {quote_path(path)}: another process is writing it; wait until it ends"
        ) from error
    except (ImportError, OSError):
        return descriptor  # no locks on this system or file system
    return descriptor
