"""Downloads by HTTP that go on where they were cut off, and are never taken for whole before."""

from __future__ import annotations

import re
import shutil
import time
from http.client import HTTPException, responses
from ssl import SSLCertVerificationError
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError, URLError

from opperf.core.errors import UsageError, quote
from opperf.fetching.digest import CHUNK
from opperf.fetching.places import read_facts, write_facts
from opperf.fetching.web import open_url

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from opperf.fetching.address import Address

PAUSES = (0.1, 0.5, 2.0, 8.0)
"""Seconds before each further attempt that brings nothing; one that brings something is free."""
MOST = 50
"""Attempts in all."""
LOOK, SLOWEST = 60.0, 1024
"""Seconds after which it is looked at what has come, and bytes a second that are too few."""
PARTIAL, UNCHANGED, BEYOND = 206, 304, 416
AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})
"""What a server says that may say something else soon."""


class BrokenOffError(Exception):
    """An attempt has failed that may succeed when it is made again."""


class Download:
    """One file that is fetched into a partial one, which a later process may go on with.

    Args:
        address: where it is.
        partial: what has come so far; the facts of it lie beside.
        hashed: whether its hash is known, so that anything wrong is seen.

    """

    def __init__(self, address: Address, partial: Path, *, hashed: bool) -> None:
        self.address = address
        self.partial = partial
        self.facts_path = partial.with_name(f"{partial.name}.json")
        self.hashed = hashed

    def fetch(self, latest: Mapping[str, str]) -> dict[str, str] | None:
        """Fetch it, and return what tells its version from later ones; None where it is `latest`.

        Raises:
            UsageError: the server does not give it.
            OSError: it cannot be written.
        """
        fruitless, largest = 0, self.size()
        for _ in range(MOST):
            try:
                return self.attempt(latest)
            except BrokenOffError as error:
                reason = str(error)
            fruitless = 0 if self.size() > largest else fruitless + 1
            largest = max(largest, self.size())
            if fruitless > len(PAUSES):
                break
            time.sleep(PAUSES[max(fruitless - 1, 0)])
        kept = "; the same command goes on with what has come" if self.size() else ""
        raise UsageError(f"cannot fetch {self.address}: {reason}{kept}")

    def size(self) -> int:
        """Return how many bytes have come."""
        return self.partial.stat().st_size if self.partial.exists() else 0

    def discard(self) -> None:
        """Remove what has come."""
        self.partial.unlink(missing_ok=True)
        self.facts_path.unlink(missing_ok=True)

    def attempt(self, latest: Mapping[str, str]) -> dict[str, str] | None:
        """Ask once for what is missing."""
        facts, size = read_facts(self.facts_path), self.size()
        if size and not (facts.get("etag") or facts.get("modified") or self.hashed):
            self.discard()
            size = 0
        try:
            response = open_url(self.address.url, headers_of(size, facts, latest))
        except HTTPError as error:
            with error:
                return self.refused(error, size)
        except (URLError, OSError, HTTPException) as error:
            reason = getattr(error, "reason", None) or error
            if isinstance(reason, SSLCertVerificationError):
                why = reason.verify_message
                raise UsageError(f"cannot fetch {self.address}: no trust: {why}") from None
            raise BrokenOffError(words_of(reason)) from None
        with response:
            versions = versions_of(response.headers)
            if response.status == PARTIAL:
                self.check_range(response, facts, size)
            else:
                self.discard()
            self.receive(response, versions)
        return versions

    def refused(self, error: HTTPError, size: int) -> dict[str, str] | None:
        """Return what is known where there is nothing more to fetch, else raise why."""
        if error.code == UNCHANGED:
            return None
        said = f"the server says {error.code} {responses.get(error.code, '')}".strip()
        if error.code == BEYOND and size:
            facts, there = read_facts(self.facts_path), error.headers.get("Content-Range", "")
            if there.strip() == f"bytes */{size}" and facts.get("total") in {None, size}:
                return versions_of(facts)
            self.discard()
            raise BrokenOffError("it has not the length that the server had said")
        if error.code in AGAIN:
            raise BrokenOffError(said)
        raise UsageError(f"cannot fetch {self.address}: {said}")

    def check_range(self, response: Any, facts: Mapping[str, Any], size: int) -> None:
        """Refuse a part that does not go on where the last one ended, or is of another version."""
        text = response.headers.get("Content-Range", "")
        match = re.fullmatch(r"bytes (\d+)-(\d+)/(\d+|\*)", text.strip())
        other = {**versions_of(facts), **versions_of(response.headers)} != versions_of(facts)
        total = facts.get("total") in {None, match and match[3].isdigit() and int(match[3])}
        if not match or int(match[1]) != size or other or not total:
            self.discard()
            raise BrokenOffError(f"the server gives another part than was asked for: {quote(text)}")

    def receive(self, response: Any, versions: Mapping[str, str]) -> None:
        """Append a response's bytes."""
        length = response.length
        if length is None and not response.chunked and not self.hashed:
            raise UsageError(
                f"cannot fetch {self.address}: the server does not say how long it is; "
                "give its sha256, so that it is known to be whole"
            )
        folder = self.partial.parent
        if length and length > (free := shutil.disk_usage(folder).free):
            raise UsageError(
                f"cannot fetch {self.address}: {length} bytes are missing, and {folder} has room "
                f"for {free}; free space, or set XDG_CACHE_HOME to another folder"
            )
        total = None if length is None else self.size() + length
        write_facts(self.facts_path, {**versions, "total": total})
        begin, come = time.monotonic(), 0
        with self.partial.open("ab") as file:
            while chunk := read_some(response, length):
                file.write(chunk)
                length = None if length is None else length - len(chunk)
                come += len(chunk)
                if (seconds := time.monotonic() - begin) > LOOK:
                    if come < SLOWEST * seconds:
                        raise BrokenOffError(f"{come} bytes in {seconds:.0f} s are too few")
                    begin, come = time.monotonic(), 0
        if length:
            raise BrokenOffError(f"the connection ended {length} bytes too early")


def read_some(response: Any, length: int | None) -> bytes:
    """Return the next bytes that come, of `length` where it is known."""
    try:
        chunk: bytes = response.read1(CHUNK if length is None else min(CHUNK, length))
    except (OSError, HTTPException) as error:
        raise BrokenOffError(words_of(error)) from None
    return chunk


def headers_of(size: int, facts: Mapping[str, str], latest: Mapping[str, str]) -> dict[str, str]:
    """Return what asks for the rest of a file, or for one newer than the latest here."""
    if size:
        version = facts.get("etag") or facts.get("modified")
        condition = {"If-Range": version} if version else {}
        return {"Range": f"bytes={size}-", **condition}
    names = {"etag": "If-None-Match", "modified": "If-Modified-Since"}
    return {names[name]: value for name, value in latest.items() if name in names}


def versions_of(headers: Mapping[str, str]) -> dict[str, str]:
    """Return what tells a file from a later one of the same address, as far as it is exact."""
    found = {
        "etag": headers.get("etag"),
        "modified": headers.get("last-modified") or headers.get("modified"),
    }
    weak = (found["etag"] or "").startswith("W/")
    return {
        name: value for name, value in found.items()
        if isinstance(value, str) and value.isprintable() and not (name == "etag" and weak)
    }  # fmt: skip


def words_of(error: object) -> str:
    """Return what an error says, one line of it."""
    if isinstance(error, OSError):
        return error.strerror or str(error) or type(error).__name__
    return type(error).__name__ if isinstance(error, HTTPException) else str(error)
