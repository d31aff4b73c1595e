"""What a method has left, copied to where a team keeps it; whole there, or not there."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UsageError, error_text, quote_path
from opperf.fetching.address import FILE, STORES, Address, parse_address
from opperf.fetching.filesystem import open_store, path_in_store
from opperf.fetching.places import holding, workshop

if TYPE_CHECKING:
    from collections.abc import Iterator

FLAG = "--output_url"
LAST = "summary.json"
"""The file that goes last: where it is, all the others are."""
MAKING = ".opperf-uploads"


class Destination:
    """Where the folders of executions are copied to, each below its own name.

    Raises:
        UsageError: it is no such URL, or its library is not installed.
    """

    def __init__(self, text: str) -> None:
        self.address: Address = parse_address(text, FLAG, (FILE, *STORES))
        self.store: Any = open_store(self.address)
        self.base = path_in_store(self.address).rstrip("/")

    def url_of(self, folder: Path) -> str:
        """Return the URL that a folder has there."""
        return f"{str(self.address).rstrip('/')}/{folder.name}/"

    def put(self, folder: Path) -> None:
        """Copy a folder.

        Raises:
            UsageError: it cannot be copied.
        """
        try:
            if self.address.scheme == FILE:
                self.put_here(folder)
            else:
                self.put_files(folder, f"{self.base}/{folder.name}")
        except Exception as error:
            said = error.strerror if isinstance(error, OSError) and error.strerror else None
            raise UsageError(
                f"cannot upload to {self.url_of(folder)}: {said or error_text(error)}; "
                f"it is all in {quote_path(folder)}"
            ) from error

    def put_here(self, folder: Path) -> None:
        """Copy a folder on this machine's file systems, where a folder can be renamed."""
        base = Path(self.base)
        with holding(base / MAKING / "lock"), workshop(base / MAKING) as made:
            self.put_files(folder, str(made / folder.name))
            (made / folder.name).rename(base / folder.name)

    def put_files(self, folder: Path, target: str) -> None:
        """Copy all files of a folder."""
        self.store.makedirs(target, exist_ok=True)
        for path in sorted(files_in(folder), key=lambda path: path.name == LAST):
            place = f"{target}/{path.relative_to(folder).as_posix()}"
            self.store.makedirs(place.rpartition("/")[0], exist_ok=True)
            self.store.put_file(str(path), place)


def files_in(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder; links may lead anywhere, and are not followed."""
    for where, _, names in os.walk(folder):
        for path in (Path(where, name) for name in sorted(names)):
            if path.is_file() and not path.is_symlink():
                yield path
