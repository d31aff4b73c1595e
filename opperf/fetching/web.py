"""Requests by HTTP: redirects within the same scheme or to a safer one, logins from a netrc file.

The standard library does it: ranges, conditions and redirects are headers, and one request at a
time needs no pool of connections.
"""

from __future__ import annotations

import base64
import os
from netrc import NetrcParseError, netrc
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import urlsplit
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPRedirectHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
)

from opperf.core.errors import UsageError, quote_path
from opperf.core.version import VERSION
from opperf.fetching.address import HTTP, HTTPS, LOCAL_HOSTS

if TYPE_CHECKING:
    from collections.abc import Mapping
    from http.client import HTTPMessage

SILENCE = 30.0
"""Seconds without a byte after which a server is taken for gone."""


class SafeRedirects(HTTPRedirectHandler):
    """Follows to HTTP and HTTPS only, from HTTPS to nothing else, and takes no login along."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Request | None:
        """Return the request that follows."""
        before, after = urlsplit(req.full_url), urlsplit(newurl)
        if after.scheme not in {HTTP, HTTPS} or (before.scheme, after.scheme) == (HTTPS, HTTP):
            fp.close()
            raise UsageError(
                f"{before.hostname} redirects from {before.scheme} to {after.scheme}, "
                "which is not followed"
            )
        request = super().redirect_request(req, fp, code, msg, headers, newurl)
        if request is not None:
            add_login(request)
        return request


def open_url(url: str, headers: Mapping[str, str]) -> Any:
    """Return the response to a request.

    Raises:
        urllib.error.HTTPError: the server refuses, or has nothing new.
        OSError, http.client.HTTPException: it cannot be reached, or is no such server.
    """
    opener = OpenerDirector()
    for handler in (
        ProxyHandler, HTTPHandler, HTTPSHandler, HTTPDefaultErrorHandler, SafeRedirects,
        HTTPErrorProcessor,
    ):  # fmt: skip
        opener.add_handler(handler())
    agent = {"User-Agent": f"opperf/{VERSION}", "Accept-Encoding": "identity"}
    request = Request(url, headers={**agent, **headers})  # noqa: S310 - the opener has HTTP only
    add_login(request)
    return opener.open(request, timeout=SILENCE)


def add_login(request: Request) -> None:
    """Add the login that the netrc file has for a request's host, if it goes to nobody else."""
    parts = urlsplit(request.full_url)
    host = parts.hostname or ""
    if (parts.scheme == HTTPS or host in LOCAL_HOSTS) and (found := login(host)):
        code = base64.b64encode(found.encode()).decode()
        request.add_unredirected_header("Authorization", f"Basic {code}")


def login(host: str) -> str | None:
    """Return the name and password of a host.

    Raises:
        UsageError: the file cannot be read.
    """
    named = os.environ.get("NETRC")
    path = Path(named) if named else Path("~/.netrc").expanduser()
    if not named and not path.exists():
        return None
    try:
        found = netrc(str(path)).hosts.get(host)  # its default is not for whoever is asked
    except NetrcParseError as error:  # its words may quote a password
        raise UsageError(f"{quote_path(path)}, line {error.lineno}: no netrc file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read {quote_path(path)}: {error}") from None
    return f"{found[0]}:{found[2]}" if found else None
