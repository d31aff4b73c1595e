"""Data sets in the folder that benchmark methods read them from: downloaded, checked, extracted."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from opperf.core.errors import UsageError, quote, quote_path
from opperf.fetching.address import FILE, HTTP, HTTPS, STORES, Address, parse_address, require_hash
from opperf.fetching.archive import extract, is_archive, stem_of
from opperf.fetching.cache import copy_file
from opperf.fetching.digest import Digest, parse_digest
from opperf.fetching.filesystem import copy_from_store, is_folder_in_store
from opperf.fetching.places import explaining, holding, read_facts, workshop, write_facts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from opperf.fetching.cache import FileCache

FLAG = "--data_downloads"
FORM = "must be URL;PATH;HASH, of which PATH and HASH may be left out"
ORIGINS = ".opperf-downloads"
"""The folder beside the data that says what they came from, and has what is not yet whole."""
REMEDY = "free space, or give another --root_data_dir"


@dataclass(frozen=True)
class DataDownload:
    """Something that is to lie in the data folder: a file, or the folder of an archive's files."""

    address: Address
    path: PurePosixPath
    digest: Digest | None

    @property
    def extracted(self) -> bool:
        """Whether it is an archive that becomes a folder; one named as an archive stays one."""
        return is_archive(self.address.file_name) and not is_archive(self.path.name)


def parse_downloads(texts: Sequence[str]) -> list[DataDownload]:
    """Return what `URL;PATH;HASH` texts ask for, several of them between commas.

    Raises:
        UsageError: one does not hold, or two have one place.
    """
    found = [parse_download(part.strip()) for text in texts for part in text.split(",")]
    for at, each in enumerate(found):
        for other in found[:at]:
            if each.path == other.path or {each.path, other.path} & {
                *each.path.parents, *other.path.parents
            }:  # fmt: skip
                raise UsageError(
                    f"{FLAG}: {other.path} and {each.path} are one place; name another: {FORM}"
                )
    return found


def parse_download(text: str) -> DataDownload:
    """Return what one text asks for."""
    url, *others = (part.strip() for part in text.split(";"))
    if not url or len(others) > 2:  # noqa: PLR2004 - path and hash
        raise UsageError(f"{FLAG} {quote(text)}: {FORM}")
    path, value = [*others, "", ""][:2]
    address = parse_address(url, FLAG, (HTTPS, HTTP, FILE, *STORES))
    digest = parse_digest(value, FLAG) if value else None
    require_hash(address, FLAG, given=digest is not None)
    place = PurePosixPath(path or stem_of(address.file_name))
    inside = place.parts and not place.is_absolute() and ".." not in place.parts
    if not inside or place.parts[0] == ORIGINS or not str(place).isprintable():
        raise UsageError(
            f"{FLAG} {quote(text)}: {quote(str(place))} is no path within the data folder; {FORM}"
        )
    return DataDownload(address, place, digest)


def place_data(
    downloads: Sequence[DataDownload], folder: Path, cache: FileCache, tell: Callable[[str], None]
) -> None:
    """Make all downloads lie in a folder; what is there already stays as it is.

    Raises:
        UsageError: one cannot be had, or something else lies in its place.
    """
    for download in downloads:
        where = f"put {download.address} into {quote_path(folder)}"
        with explaining(where, REMEDY), holding(folder / ORIGINS / "lock"):
            if not is_there(download, folder):
                tell(f"{download.address}: fetching")
                place_one(download, folder, cache)


def is_there(download: DataDownload, folder: Path) -> bool:
    """Return whether a download lies in its place.

    Raises:
        UsageError: something else does.
    """
    target = folder / download.path
    if not os.path.lexists(target):
        return False
    origin = read_facts(origin_path(folder, download.path))
    wanted = download.digest
    if wanted and origin.get(wanted.algorithm) != wanted.value:
        found = origin.get(wanted.algorithm)
        said = f"{wanted.algorithm}:{found}" if found else "nobody knows what"
        raise UsageError(
            f"{quote_path(target)} is there already, made of {said}, not {wanted}; "
            "remove it, or give another path"
        )
    return True


def place_one(download: DataDownload, folder: Path, cache: FileCache) -> None:
    """Fetch a download and put it into its place, as a whole."""
    target = folder / download.path
    target.parent.mkdir(parents=True, exist_ok=True)
    with workshop(folder / ORIGINS) as made:
        new = made / "new"
        write_facts(origin_path(folder, download.path), make(download, new, cache))
        new.rename(target)


def make(download: DataDownload, new: Path, cache: FileCache) -> Mapping[str, str]:
    """Make a file or a folder of a download, and return the hashes of what it was made of."""
    address = download.address
    if address.scheme in STORES and is_folder_in_store(address):
        if download.digest:
            raise UsageError(f"{FLAG} {address}: it is a folder, and no hash is of a folder")
        new.mkdir()
        copy_from_store(address, new)
        return {}
    content = cache.fetch(address, download.digest)
    if download.extracted:
        new.mkdir()
        extract(content.path, new, str(address))
    else:
        copy_file(content, new)
    return content.hashes


def origin_path(folder: Path, path: PurePosixPath) -> Path:
    """Return the file that says what a path of the data folder was made of."""
    return folder / ORIGINS / "origins" / f"{path}.json"
