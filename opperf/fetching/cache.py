"""Files from elsewhere by their content: each is fetched once, and checked whenever it is used."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from opperf.core.environment.folders import user_cache
from opperf.core.errors import UsageError, quote_path
from opperf.fetching.address import FILE, STORES
from opperf.fetching.digest import Digest, hash_file
from opperf.fetching.download import Download
from opperf.fetching.filesystem import copy_from_store
from opperf.fetching.places import FULL, explaining, holding, read_facts, write_facts

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from opperf.fetching.address import Address

REMEDY = "free space, or set XDG_CACHE_HOME to another folder"


@dataclass(frozen=True)
class Content:
    """A file that is whole, and its hashes by algorithm; in the cache nobody changes it."""

    path: Path
    hashes: Mapping[str, str]


def download_folder() -> Path:
    """Return where files from elsewhere are kept."""
    return user_cache("downloads")


class FileCache:
    """Files by sha256; several processes may use it at once, and be killed at any time.

    Args:
        folder: where it lies; content/ has the files, partial/ what has come of others, names/
            which content has an md5 or was at an address, locks/ a lock each address.

    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def fetch(self, address: Address, digest: Digest | None = None) -> Content:
        """Return the content of an address: of this hash, or else its newest.

        Raises:
            UsageError: it cannot be had, or has another hash.
        """
        key = sha256(f"{digest or ''} {address.url}".encode()).hexdigest()
        with explaining(f"keep {address} in {quote_path(self.folder)}", REMEDY):
            if address.scheme == FILE:
                return self.read_local(address, digest)
            with holding(self.folder / "locks" / key):
                found = self.find(digest) if digest else None
                return found or self.fetch_anew(address, digest, key)

    def read_local(self, address: Address, digest: Digest | None) -> Content:
        """Return a file of this machine, where it lies."""
        if not address.path.is_file():
            raise UsageError(f"cannot fetch {address}: there is no such file")
        content = Content(address.path, hash_file(address.path))
        check(content, address, digest)
        return content

    def find(self, digest: Digest) -> Content | None:
        """Return the content of a hash that is here and undamaged."""
        value: object = digest.value
        if digest.algorithm != "sha256":
            value = read_facts(self.name_path(str(digest))).get("sha256")
        if not isinstance(value, str) or not (path := self.content_path(value)).is_file():
            return None
        hashes = hash_file(path)
        if hashes["sha256"] != value or hashes[digest.algorithm] != digest.value:
            path.unlink(missing_ok=True)
            return None
        return Content(path, hashes)

    def fetch_anew(self, address: Address, digest: Digest | None, key: str) -> Content:
        """Fetch an address, unless what was there last is there still and kept."""
        partial = self.folder / "partial" / key
        partial.parent.mkdir(parents=True, exist_ok=True)
        named = self.name_path(f"address:{key}")
        download = Download(address, partial, hashed=digest is not None)
        try:
            versions: Mapping[str, str] | None = {}
            if address.scheme in STORES:
                download.discard()
                copy_from_store(address, partial)
            else:
                latest = {} if digest else read_facts(named)
                kept = self.recall(latest)
                versions = download.fetch(latest if kept else {})
                if versions is None and kept:
                    return kept
            content = self.take(download, address, digest)
        except OSError as error:
            if error.errno in FULL:
                download.discard()
            raise
        if digest is None:
            write_facts(named, {**(versions or {}), "sha256": content.hashes["sha256"]})
        return content

    def recall(self, latest: Mapping[str, str]) -> Content | None:
        """Return the content that an address had when it was fetched last."""
        value = latest.get("sha256")
        return self.find(Digest("sha256", value)) if value else None

    def take(self, download: Download, address: Address, digest: Digest | None) -> Content:
        """Move what has come to its place; what is wrong is not kept."""
        with download.partial.open("ab") as file:
            os.fsync(file.fileno())
        content = Content(download.partial, hash_file(download.partial))
        try:
            check(content, address, digest)
        except UsageError:
            download.discard()
            raise
        path = self.content_path(content.hashes["sha256"])
        path.parent.mkdir(parents=True, exist_ok=True)
        download.partial.chmod(0o444)
        download.partial.replace(path)
        download.discard()
        for algorithm, value in content.hashes.items():
            if algorithm != "sha256":
                facts = {"sha256": content.hashes["sha256"]}
                write_facts(self.name_path(f"{algorithm}:{value}"), facts)
        return Content(path, content.hashes)

    def content_path(self, value: str) -> Path:
        """Return where the content of a sha256 lies."""
        return self.folder / "content" / value[:2] / value

    def name_path(self, name: str) -> Path:
        """Return where it stands which content has a name."""
        return self.folder / "names" / name.replace(":", "-")


def check(content: Content, address: Address, digest: Digest | None) -> None:
    """Refuse content of another hash.

    Raises:
        UsageError: it has one.
    """
    if digest and content.hashes[digest.algorithm] != digest.value:
        raise UsageError(
            f"{address} has not the hash that was given: {digest}; "
            f"it has {digest.algorithm}:{content.hashes[digest.algorithm]}"
        )


def copy_file(content: Content, target: Path) -> None:
    """Copy a file, and refuse it where it has changed meanwhile.

    Raises:
        UsageError: it has.
    """
    shutil.copyfile(content.path, target)
    if hash_file(target) != content.hashes:
        raise UsageError(f"{quote_path(content.path)} has changed while it was read")
