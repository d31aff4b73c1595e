"""A server of comments as GitHub and GitLab are, which does wrong what it is told to."""

from __future__ import annotations

import json
import re
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator

TOKEN = "t0ken-of-nobody"  # noqa: S105 - of no server
PAGE = 2
"""Comments of a page, whatever is asked for: there are always several."""
COMMENTS = re.compile(r"/repos/o/r/issues/7/comments|/projects/5/merge_requests/7/notes")
COMMENT = re.compile(r"(?:/repos/o/r/issues/comments|/projects/5/merge_requests/7/notes)/(\d+)")


@dataclass
class Forge:
    """What a server has been asked, what it keeps, and its faults: by method, in their order.

    `app` says that the token is a job's, which is no user's.
    """

    port: int = 0
    app: bool = True
    read_only: bool = False
    comments: list[dict[str, Any]] = field(default_factory=list)
    requests: list[tuple[str, str]] = field(default_factory=list)
    tokens: set[str | None] = field(default_factory=set)
    faults: dict[str, list[str]] = field(default_factory=dict)
    gone: threading.Event = field(default_factory=threading.Event)

    @property
    def api(self) -> str:
        """Its URL."""
        return f"http://127.0.0.1:{self.port}"

    def add(self, body: str, name: str = "job[bot]", kind: str = "Bot") -> dict[str, Any]:
        """Add a comment of somebody, in the words of both servers."""
        author = {"login": name, "username": name, "type": kind}
        comment = {"id": len(self.comments) + 100, "body": body, "user": author, "author": author}
        self.comments.append(comment)
        return comment

    def asked(self, method: str) -> list[str]:
        """Return the paths that were asked by a method."""
        return [path for how, path in self.requests if how == method]

    def of_github(self, event: str) -> dict[str, str]:
        """Return the variables of a job of GitHub Actions."""
        return {
            "GITHUB_ACTIONS": "true", "GITHUB_EVENT_PATH": event, "GITHUB_API_URL": self.api,
            "GITHUB_REPOSITORY": "o/r", "GITHUB_SERVER_URL": "https://github.test",
            "GITHUB_RUN_ID": "42", "OPPERF_COMMENT_TOKEN": TOKEN,
        }  # fmt: skip

    def of_gitlab(self) -> dict[str, str]:
        """Return the variables of a job of GitLab CI."""
        return {
            "GITLAB_CI": "true", "CI_API_V4_URL": self.api, "CI_MERGE_REQUEST_IID": "7",
            "CI_MERGE_REQUEST_PROJECT_ID": "5", "CI_COMMIT_SHA": "c" * 40,
            "CI_JOB_URL": "https://gitlab.test/o/r/-/jobs/9", "OPPERF_COMMENT_TOKEN": TOKEN,
        }  # fmt: skip


class ForgeHandler(BaseHTTPRequestHandler):
    """Lists, adds and replaces comments."""

    protocol_version = "HTTP/1.1"
    forge: Forge

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        """Say who asks, or list comments page by page."""
        self.serve(lambda _: self.user() if self.path == "/user" else self.listing())

    def do_POST(self) -> None:
        """Add a comment."""
        self.serve(lambda body: (201, self.forge.add(body["body"], *self.whose()), {}))

    def do_PATCH(self) -> None:
        """Replace a comment."""
        self.serve(self.replace)

    do_PUT = do_PATCH  # noqa: N815 - as http.server calls it

    def whose(self) -> tuple[str, str]:
        """Return as whom the token comments."""
        return ("job[bot]", "Bot") if self.forge.app else ("me", "User")

    def user(self) -> tuple[int, Any, dict[str, str]]:
        """Answer whose the token is, which that of an app may not ask."""
        return (403, {}, {}) if self.forge.app else (200, {"login": "me", "username": "me"}, {})

    def listing(self) -> tuple[int, Any, dict[str, str]]:
        """Answer a page of comments."""
        parts = urlsplit(self.path)
        if not COMMENTS.fullmatch(parts.path):
            return 404, {}, {}
        page = int(parse_qs(parts.query).get("page", ["1"])[0])
        found = self.forge.comments[(page - 1) * PAGE : page * PAGE]
        following = f'<{self.forge.api}{parts.path}?page={page + 1}>; rel="next", <x>; rel="last"'
        more = page * PAGE < len(self.forge.comments)
        return 200, found, {"Link": following} if more else {}

    def replace(self, body: Any) -> tuple[int, Any, dict[str, str]]:
        """Answer the replacement of a comment."""
        match = COMMENT.fullmatch(self.path)
        for comment in self.forge.comments:
            if match and comment["id"] == int(match[1]):
                comment["body"] = body["body"]
                return 200, comment, {}
        return 404, {}, {}

    def serve(self, answer: Any) -> None:
        """Do what is asked, but for a fault."""
        forge = self.forge
        forge.requests.append((self.command, self.path))
        forge.tokens.add(self.headers["Authorization"])
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or "null")
        faults = forge.faults.get(self.command, [])
        fault, _, value = (faults.pop(0) if faults else "").partition(" ")
        if fault.isdigit():
            name, _, text = value.partition(" ")
            self.reply(int(fault), {"message": TOKEN}, {name: text} if name else {})
        elif fault == "hang":
            forge.gone.wait(120)
            self.close_connection = True
        elif forge.read_only and self.command != "GET":
            self.reply(403, {"message": "Resource not accessible by integration"}, {})
        else:
            said = answer(body)
            if fault == "lost":
                self.close_connection = True
            else:
                self.reply(*said)

    def reply(self, code: int, said: Any, headers: dict[str, str]) -> None:
        """Send a whole answer."""
        data = json.dumps(said).encode()
        self.send_response(code)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


class ForgeServer(ThreadingHTTPServer):
    """A server of this machine; a client that is gone is none of its errors."""

    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def serving() -> Iterator[Forge]:
    """Run a server until its user is done."""
    forge = Forge()
    handler = type("Told", (ForgeHandler,), {"forge": forge})
    with ForgeServer(("127.0.0.1", 0), handler) as running:
        forge.port = running.server_address[1]
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield forge
        finally:
            forge.gone.set()
            running.shutdown()
            thread.join()
