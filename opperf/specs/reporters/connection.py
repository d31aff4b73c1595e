"""Requests to a server by HTTP: one connection for all of them, and none that hangs.

urllib would close it after each message, follow a redirect as a GET without the message, and put a
netrc file's login in the token's place.
"""

from __future__ import annotations

import base64
import socket
import ssl
from contextlib import suppress
from dataclasses import dataclass, field, replace
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from threading import Timer
from typing import TYPE_CHECKING
from urllib.parse import unquote, urljoin, urlsplit
from urllib.request import getproxies, proxy_bypass

from opperf.core.version import VERSION
from opperf.fetching.address import HTTPS, LOCAL_HOSTS
from opperf.specs.reporters.endpoint import origin_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from opperf.specs.reporters.token import Secret

SILENCE, WHOLE = 10.0, 30.0
"""Seconds without a byte, and seconds in all, that a server has for an answer."""
LARGEST_REPLY = 2**16
AGAIN_THERE = frozenset({307, 308})
"""Redirects that ask for the same message again; after the others it would be a GET."""
MOST_REDIRECTS = 3


class NoReplyError(Exception):
    """The server cannot be reached, or has not answered as a whole."""


class UntrustedError(Exception):
    """The server cannot show that it is who it says, or sends its messages elsewhere."""


@dataclass(frozen=True)
class HttpRequest:
    """What a server is asked: a URL of its own, with `headers` beside those of all requests."""

    method: str
    url: str
    body: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Reply:
    """What a server has answered."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Connection:
    """A connection to a server, made with the first request.

    Args:
        url: what is asked, or what that begins with; no other server is.
        token: what lets us in, None where everyone is.
        largest: bytes of a reply that are read.

    """

    def __init__(self, url: str, token: Secret | None, largest: int = LARGEST_REPLY) -> None:
        self.url = url
        self.origin = origin_of(url)
        self.largest = largest
        self.headers = {
            "User-Agent": f"opperf/{VERSION}",
            "Content-Type": "application/json",
            "Accept": "application/json",
        }
        if token is not None:
            self.headers["Authorization"] = type(token)(f"Bearer {token}")
        self.open: HTTPConnection | None = None
        self.prefix = ""

    def close(self) -> None:
        """Let go of the server."""
        if self.open is not None:
            self.open.close()
            self.open = None

    def send(self, request: HttpRequest) -> Reply:
        """Send a request, where the server says so to another place of its own.

        It is sent again where an idle connection was closed meanwhile: its sender must not mind, or
        close the connection first.

        Raises:
            NoReplyError: the server has not answered; it may have acted all the same.
            UntrustedError: it is not who it should be.
        """
        url = request.url
        for _ in range(MOST_REDIRECTS + 1):
            reply = self.attempt(replace(request, url=url))
            if reply.status not in AGAIN_THERE:
                return reply
            try:
                url = urljoin(url, reply.headers.get("location", ""))
                same = origin_of(url) == self.origin
            except ValueError:
                same = False
            if not same:
                raise UntrustedError("it redirects to another server, which is not followed")
        raise UntrustedError("it redirects in a circle")

    def attempt(self, request: HttpRequest) -> Reply:
        """Send a request, on a new connection where the server has closed the last one."""
        reused = self.open is not None
        try:
            return self.ask(request)
        except ssl.SSLCertVerificationError as error:
            self.close()
            raise UntrustedError(f"no trust: {error.verify_message}") from None
        except (OSError, HTTPException) as error:
            self.close()
            if reused:  # an idle connection is closed by most servers
                return self.attempt(request)
            raise NoReplyError(words_of(error)) from None

    def ask(self, request: HttpRequest) -> Reply:
        """Send a request and read the reply, on the connection that is open or on a new one."""
        connection = self.open = self.open or self.connect()
        parts = urlsplit(request.url)
        path = self.prefix + (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        watchdog = Timer(WHOLE, shut, [connection])
        watchdog.daemon = True
        watchdog.start()
        try:
            headers = {**self.headers, **request.headers}
            with suppress(BrokenPipeError):  # a server that has read enough may have answered
                connection.request(request.method, path, request.body, headers)
            with connection.getresponse() as response:
                body = read_whole(response, self.largest)
                headers = {name.lower(): value for name, value in response.getheaders()}
            if len(body) == self.largest:  # its rest would be read as the next reply
                self.close()
            return Reply(response.status, headers, body)
        finally:
            watchdog.cancel()

    def connect(self) -> HTTPConnection:
        """Return a connection to be made, through the proxy that the environment names."""
        scheme, host, port = self.origin
        proxy = "" if host in LOCAL_HOSTS or proxy_bypass(host) else getproxies().get(scheme, "")
        kind = HTTPSConnection if scheme == HTTPS else HTTPConnection
        if not proxy:
            return kind(host, port, timeout=SILENCE)
        parts = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
        connection = kind(parts.hostname or "", parts.port or 80, timeout=SILENCE)
        login = {}
        if parts.username:
            words = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
            login = {"Proxy-Authorization": f"Basic {base64.b64encode(words.encode()).decode()}"}
        if scheme == HTTPS:
            connection.set_tunnel(host, port, login)
        else:
            self.prefix = f"{scheme}://{host}:{port}"
            self.headers |= login
        return connection


def read_whole(response: HTTPResponse, largest: int) -> bytes:
    """Return a reply's body up to a bound.

    Raises:
        OSError: the connection has ended before the reply; without a length, with no body at all.
    """
    endless = response.length is None and not response.chunked
    body = response.read(largest)
    if (response.length and len(body) < largest) or (endless and not body):
        raise ConnectionResetError(None, "the reply has ended too early")
    return body


def shut(connection: HTTPConnection) -> None:
    """End a connection on which another thread waits, whose wait fails."""
    sock = connection.sock
    if sock is not None:
        with suppress(OSError):
            sock.shutdown(socket.SHUT_RDWR)


def words_of(error: Exception) -> str:
    """Return why there was no reply, without anything that the server has said."""
    if isinstance(error, TimeoutError):
        return f"it is silent for {SILENCE:g} s"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return type(error).__name__
