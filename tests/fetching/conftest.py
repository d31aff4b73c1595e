"""A server that does what it is told, wrong things too, and repositories of git."""

from __future__ import annotations

import os
import re
import subprocess
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import pytest

from opperf.fetching import download
from opperf.fetching.cache import FileCache

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@dataclass
class Script:
    """What the server has, and what it does wrong: one fault a request, in their order."""

    files: dict[str, bytes] = field(default_factory=dict)
    etag: str | None = '"1"'
    ranges: bool = True
    faults: list[str] = field(default_factory=list)
    requests: list[dict[str, str]] = field(default_factory=list)
    port: int = 0

    def url(self, path: str) -> str:
        """Return the URL of a file."""
        return f"http://127.0.0.1:{self.port}{path}"

    def asked(self, header: str) -> list[str | None]:
        """Return what each request said in a header."""
        return [request.get(header) for request in self.requests]


class Handler(BaseHTTPRequestHandler):
    """Serves the script's files."""

    protocol_version = "HTTP/1.1"
    script: Script

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        """Answer one request."""
        script = self.script
        script.requests.append({**dict(self.headers.items()), "path": self.path})
        fault, _, value = (script.faults.pop(0) if script.faults else "").partition(" ")
        self.close_connection = True
        if fault == "status":
            self.send_response(int(value))
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        if fault == "redirect":
            self.send_response(302)
            self.send_header("Location", value)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        if fault == "close":
            return
        self.give(script.files[self.path.partition("?")[0]], fault, value)

    def give(self, data: bytes, fault: str, value: str) -> None:
        """Send a file or what is asked of it, up to where it is to be cut off."""
        script = self.script
        if script.etag and self.headers.get("If-None-Match") == script.etag:
            self.send_response(304)
            self.end_headers()
            return
        begin = 0
        match = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
        same = self.headers.get("If-Range") in {None, script.etag}
        if match and same and script.ranges:
            begin = int(match[1])
            self.send_response(416 if begin >= len(data) else 206)
            end = f"{begin}-{len(data) - 1}" if begin < len(data) else "*"
            self.send_header("Content-Range", f"bytes {end}/{len(data)}")
        else:
            self.send_response(200)
        if script.etag:
            self.send_header("ETag", script.etag)
        rest = data[begin:]
        if fault != "unsaid":
            self.send_header("Content-Length", str(len(rest) + (100 if fault == "long" else 0)))
        self.end_headers()
        if fault == "drip":
            self.drip(rest)
        else:
            self.wfile.write(rest[: int(value)] if fault == "cut" else rest)

    def drip(self, data: bytes) -> None:
        """Send byte by byte until nobody listens."""
        try:
            for at in range(len(data)):
                self.wfile.write(data[at : at + 1])
                time.sleep(0.01)
        except OSError:
            pass


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Script]:
    """Return a script that a server on this machine carries out; nobody waits between attempts."""
    monkeypatch.setattr(download, "PAUSES", (0.0, 0.0))
    monkeypatch.setenv("NO_PROXY", "*")
    script = Script()
    handler = type("Scripted", (Handler,), {"script": script})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        script.port = running.server_address[1]
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        yield script
        running.shutdown()
        thread.join()


@pytest.fixture
def cache(tmp_path: Path) -> FileCache:
    """Return an empty cache."""
    return FileCache(tmp_path / "cache")


def git(folder: Path, *words: str) -> str:
    """Run git as somebody who has no configuration."""
    names = {f"GIT_{who}_{what}": "nobody@example.org"
             for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}  # fmt: skip
    environment = {**os.environ, **names, "GIT_CONFIG_GLOBAL": os.devnull}
    found = subprocess.run(
        ["git", *words],  # noqa: S607 - the one that opperf calls
        cwd=folder, env=environment, check=True, capture_output=True, text=True,
    )  # fmt: skip
    return found.stdout.strip()


@dataclass
class Origin:
    """A repository with three commits; `tool.VALUE` is 1, 2 and 3."""

    path: Path
    commits: list[str]

    @property
    def url(self) -> str:
        """Its address."""
        return self.path.as_uri()


@pytest.fixture
def origin(tmp_path: Path) -> Origin:
    """Return a repository that is called models."""
    path = tmp_path / "elsewhere" / "models.git"
    path.mkdir(parents=True)
    git(path, "init", "--quiet", "--initial-branch=trunk")
    commits = []
    for value in (1, 2, 3):
        (path / "lib").mkdir(exist_ok=True)
        (path / "lib" / "tool.py").write_text(f"VALUE = {value}\n")
        git(path, "add", ".")
        git(path, "commit", "--quiet", "-m", f"Set it to {value}")
        commits.append(git(path, "rev-parse", "HEAD"))
    git(path, "tag", "v2", commits[1])
    return Origin(path, commits)
