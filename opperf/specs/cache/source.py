"""Where a file of a specification comes from, and what it is to be."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from opperf.core.errors import UsageError, quote
from opperf.fetching.address import (
    FILE,
    HTTP,
    HTTPS,
    STORES,
    Address,
    parse_address,
    require_hash,
)
from opperf.fetching.archive import is_archive
from opperf.fetching.digest import Digest, parse_digest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from opperf.fetching.data import DataDownload
    from opperf.specs.format.expanded import FileSpec

BELOW_ROOT = "//"
ROOT_FLAG = "--root_model_dir"


@dataclass(frozen=True)
class ModelSource:
    """A file as the cache fetches it.

    Args:
        path: what it is called in the folder that it is placed in.
        address: where it is; None for one that only the cache can have, by its hash.
        digests: the hashes that its content must have, the strongest first.
        extracted: whether it is an archive that becomes a folder.
        place: where it stands, for errors.

    """

    path: PurePosixPath
    address: Address | None
    digests: tuple[Digest, ...]
    extracted: bool
    place: str

    @property
    def digest(self) -> Digest | None:
        """The hash that it is looked up by."""
        return next(iter(self.digests), None)

    @property
    def elsewhere(self) -> bool:
        """Whether a URL names it, and not a path of this machine."""
        return self.address is not None and "://" in self.address.name


def source_of(spec: FileSpec, root: Path | None) -> ModelSource:
    """Return the source of a file.

    Raises:
        UsageError: its location or its hashes do not hold.
    """
    given = ((spec.sha256, "sha256"), (spec.md5, "md5"))
    digests = tuple(
        parse_digest(f"{algorithm}:{value}", spec.place) for value, algorithm in given if value
    )
    address = locate(spec, root) if spec.location else None
    if address is None and not digests:
        raise UsageError(f"{spec.place}: it has neither a location nor a hash; give its location")
    if address is not None:
        require_hash(address, spec.place, given=bool(digests))
    extracted = address is not None and is_archive(address.file_name)
    path = PurePosixPath(spec.filename)
    return ModelSource(path, address, digests, extracted and not is_archive(path.name), spec.place)


def locate(spec: FileSpec, root: Path | None) -> Address:
    """Return the address of a location: a URL, a path, or one below the root of models."""
    text = spec.location
    if text.startswith(BELOW_ROOT):
        if root is None:
            raise UsageError(
                f"{spec.place}: {quote(text)} is below the root of models; give it: {ROOT_FLAG} DIR"
            )
        inner = PurePosixPath(text.lstrip("/"))
        if ".." in inner.parts or not inner.parts:
            raise UsageError(f"{spec.place}: {quote(text)} is no path below {ROOT_FLAG}")
        return Address((root.absolute() / inner).as_uri(), text)
    if "://" in text or text.startswith("$"):
        return parse_address(text, spec.place, (HTTPS, HTTP, FILE, *STORES))
    return Address((spec.folder.absolute() / text).as_uri(), text)


def download_sources(downloads: Iterable[DataDownload], flag: str) -> dict[str, ModelSource]:
    """Return the sources of data downloads by the paths that they are to have."""
    return {
        str(each.path): ModelSource(
            each.path, each.address, (each.digest,) if each.digest else (), each.extracted, flag
        )
        for each in downloads
    }
