"""A server of results that does what it is told, wrong things too, and reports to send it."""

from __future__ import annotations

import json
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any

import pytest

from opperf.specs.reporters import retries
from opperf.specs.reporters.meta import Meta

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from ssl import SSLContext

TOKEN = "s3cr3t-of-nobody"  # noqa: S105 - of no server


@dataclass
class Results:
    """What a server has been sent, and what it does wrong: one fault a request, in their order."""

    faults: list[str] = field(default_factory=list)
    requests: list[dict[str, str]] = field(default_factory=list)
    bodies: list[dict[str, Any]] = field(default_factory=list)
    """What it has read as a whole, once a request."""
    kept: dict[str, dict[str, Any]] = field(default_factory=dict)
    """What it has kept, once a key."""
    gone: threading.Event = field(default_factory=threading.Event)
    """Set at the end, for whoever hangs."""
    port: int = 0

    @property
    def target(self) -> str:
        """What the remote reporter is told."""
        return f"http://127.0.0.1:{self.port}/log|operators"

    def names(self) -> list[str]:
        """Return which records it has kept."""
        return [body["record"]["name"] for body in self.kept.values()]


class ResultsHandler(BaseHTTPRequestHandler):
    """Keeps what it is sent by its key, as a server of results should."""

    protocol_version = "HTTP/1.1"
    results: Results

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        """Refuse: a redirect was followed as none may be."""
        self.results.requests.append({**dict(self.headers.items()), "path": self.path, "by": "GET"})
        self.answer(200, b"{}")

    def do_POST(self) -> None:
        """Answer one message."""
        results = self.results
        results.requests.append({**dict(self.headers.items()), "path": self.path, "by": "POST"})
        fault, _, value = (results.faults.pop(0) if results.faults else "").partition(" ")
        if fault == "close":
            self.close_connection = True
            return
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        results.bodies.append(body)
        if fault == "redirect":
            code, _, location = value.partition(" ")
            self.answer(int(code), b"", Location=location)
        elif fault == "status":
            code, _, after = value.partition(" ")
            self.answer(int(code), TOKEN.encode(), **({"Retry-After": after} if after else {}))
        elif fault == "say":
            self.answer(200, value.encode())
        else:
            results.kept[body["key"]] = body
            self.reply(fault)

    def reply(self, fault: str) -> None:
        """Acknowledge a message that is kept, unless the reply goes wrong."""
        if fault == "hang":
            self.results.gone.wait()
            self.close_connection = True
        elif fault == "lost":
            self.close_connection = True
        elif fault == "cut":
            self.close_connection = True
            self.wfile.write(b'HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n{"cou')
        elif fault == "headers":
            self.close_connection = True
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Le")
        elif fault == "drip":
            self.close_connection = True
            self.drip(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        else:
            self.answer(200, b'{"count": 1}')

    def drip(self, data: bytes) -> None:
        """Send byte by byte, and more without an end, until nobody listens."""
        with suppress(OSError):
            for byte in chain(data, repeat(ord("x"))):
                self.wfile.write(bytes([byte]))
                if self.results.gone.wait(0.01):
                    return

    def answer(self, code: int, body: bytes, **headers: str) -> None:
        """Send a whole reply."""
        self.send_response(code)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class ResultsServer(ThreadingHTTPServer):
    """A server of this machine; a client that is gone is none of its errors."""

    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """Say nothing."""


def serve(results: Results, context: SSLContext | None = None) -> Iterator[Results]:
    """Run a server until the test is over."""
    handler = type("Told", (ResultsHandler,), {"results": results})
    with ResultsServer(("127.0.0.1", results.port), handler) as running:
        if context is not None:
            running.socket = context.wrap_socket(
                running.socket, server_side=True, do_handshake_on_connect=False
            )
        results.port = running.server_address[1]
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        yield results
        results.gone.set()
        running.shutdown()
        thread.join()


@pytest.fixture
def server(_spool: None) -> Iterator[Results]:
    """Return what a server of this machine has been sent."""
    yield from serve(Results())


@pytest.fixture
def _spool(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Have spools in a folder of the test, a token, and nobody wait between attempts."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("OPPERF_REMOTE_TOKEN", TOKEN)
    monkeypatch.setattr(retries, "PAUSES", (0.0, 0.0))


@pytest.fixture
def make_meta() -> Callable[..., Meta]:
    """Return a function that makes what is said of a report."""

    def make(**changes: Any) -> Meta:
        usual = {
            "platform": "linux", "framework": "numpy", "net": "alexnet", "metric": "delay",
            "identifier": "small", "time": 1_700_000_000.0, "commit": "abc123",
        }  # fmt: skip
        return Meta(**{**usual, **changes})

    return make
