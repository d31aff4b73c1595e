"""Addresses of data and repositories: which there are, and what of them may be written down."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, unquote, urlsplit

from opperf.core.environment.variables import SECRET_NAME
from opperf.core.errors import UsageError, quote, unknown

if TYPE_CHECKING:
    from collections.abc import Sequence

FILE, HTTP, HTTPS = "file", "http", "https"
STORES = {"s3": "s3", "gs": "gcs"}
"""The schemes of object stores, and the extra that each needs."""
SIGNED = ("signature", "sig")
"""The ends of a query's names that sign it."""
LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True)
class Address:
    """A URL, and as what it is named: as it was written, never what a variable holds."""

    url: str = field(repr=False)
    name: str

    def __str__(self) -> str:
        return self.name

    @property
    def scheme(self) -> str:
        """The word before the colon."""
        return urlsplit(self.url).scheme.lower()

    @property
    def host(self) -> str:
        """Whose it is."""
        return urlsplit(self.url).hostname or ""

    @property
    def file_name(self) -> str:
        """The last part of its path."""
        return PurePosixPath(unquote(urlsplit(self.url).path)).name

    @property
    def path(self) -> Path:
        """The file that a file:// URL is of."""
        return Path(unquote(urlsplit(self.url).path))


def parse_address(text: str, flag: str, schemes: Sequence[str]) -> Address:
    """Return the address that a text is, or that the environment variable of a `$NAME` holds.

    Raises:
        UsageError: it is none of these schemes, incomplete, or holds a secret.
    """
    url = from_environment(text[1:], flag) if text.startswith("$") else text
    place = f"{flag} {text if url != text else quote(url)}"
    if not url.isprintable() or not url.isascii() or " " in url:
        raise UsageError(f"{place}: no URL has such characters; write them as %XX")
    try:
        parts = urlsplit(url)
        host = parts.hostname
        _ = parts.port, (host or "").encode("idna")
    except ValueError as error:
        raise UsageError(f"{place}: it is no URL: {error}") from None
    if not parts.scheme:
        raise UsageError(f"{place}: a URL is needed, such as https://host/file or file:///file")
    if parts.scheme not in schemes:
        raise UsageError(unknown("scheme", parts.scheme, schemes, f" of {flag}"))
    if "@" in parts.netloc:
        raise UsageError(
            f"{flag}: the URL of {host} holds a login; put it into ~/.netrc, or a file that the "
            "variable NETRC names: a command line is no place for it"
        )
    if url == text and any(is_signed(name) for name, _ in parse_qsl(parts.query)):
        raise UsageError(
            f"{flag}: the URL of {host} holds a secret; put it into an environment variable, and "
            "write '$NAME' of it: a command line is no place for it"
        )
    check_place(parts.scheme, host, parts.path, place)
    return Address(url, text)


def from_environment(name: str, flag: str) -> str:
    """Return the URL that an environment variable holds."""
    url = os.environ.get(name)
    if not url:
        raise UsageError(f"{flag} ${name}: there is no such environment variable")
    return url


def is_signed(name: str) -> bool:
    """Return whether a part of this name is what a URL is signed with."""
    return SECRET_NAME.search(name) is not None or name.lower().endswith(SIGNED)


def check_place(scheme: str, host: str | None, path: str, place: str) -> None:
    """Refuse a URL that lacks its host or its path, or has another machine's file.

    Raises:
        UsageError: it does.
    """
    if scheme == FILE:
        if host not in {None, "", "localhost"} or not path.startswith("/"):
            raise UsageError(f"{place}: must be file:/// and an absolute path of this machine")
    elif not host:
        raise UsageError(f"{place}: it names no host")


def require_hash(address: Address, flag: str, *, given: bool) -> None:
    """Refuse what anybody on the way could have changed: http:// of another machine, unchecked.

    Raises:
        UsageError: it is.
    """
    if address.scheme == HTTP and not given and address.host not in LOCAL_HOSTS:
        raise UsageError(
            f"{flag} {address}: whoever is on the way can change what http:// brings; "
            "give its sha256, or an https:// URL"
        )
