"""Writing a comment once, and replacing it from then on."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from opperf.core.errors import OpperfError, UsageError
from opperf.specs.reporters.connection import Connection, HttpRequest, NoReplyError, UntrustedError
from opperf.specs.reporters.endpoint import origin_of
from opperf.specs.reporters.retries import (
    AGAIN,
    SUCCESS,
    LaterError,
    asked_pause,
    retry,
    status_words,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opperf.reporting.comments.thread import Thread
    from opperf.specs.reporters.connection import Reply
    from opperf.specs.reporters.token import Secret

FIRST_PAGE = "?per_page=100&sort=asc&order_by=created_at"
"""The oldest first, on either server; GitHub needs no asking, and ignores it."""
MOST_PAGES = 200
LARGEST_PAGE = 64 * 2**20
"""Bytes: a hundred comments of the largest size that either server takes."""
NEXT = re.compile(r'<([^<>]*)>[^,<>]*;\s*rel="?next"?')
REFUSED, FORBIDDEN, ABSENT, GONE = 401, 403, 404, 410


class UncommentedError(OpperfError):
    """The server has not taken the comment."""


class ForbiddenError(Exception):
    """The token may not comment there, as none of a fork's pull request may."""


class Poster:
    """Whoever comments on a change.

    Args:
        thread: where.
        token: what lets us in.
        marker: how the comments begin that are replaced.

    """

    def __init__(self, thread: Thread, token: Secret, marker: str) -> None:
        self.thread = thread
        self.marker = marker
        self.connection = Connection(thread.api, token, LARGEST_PAGE)

    def post(self, text: str) -> bool:
        """Put a text in the place of our comment, or add one; return whether there was one.

        Whatever fails is begun anew by looking for the comment: one whose acknowledgment was lost
        is there, and no second one is added.

        Raises:
            ForbiddenError: the token may not comment there.
            UsageError: the server does not know the token.
            UncommentedError: the server cannot be asked, or will not take it.
        """
        body = json.dumps({"body": text}).encode()
        try:
            return retry(lambda: self.attempt(body))
        except (NoReplyError, UntrustedError) as error:
            raise UncommentedError(f"cannot comment on {self.thread.title}: {error}") from None
        finally:
            self.connection.close()

    def attempt(self, body: bytes) -> bool:
        """Replace our comment or add one, with a single attempt of everything."""
        name = self.own_name()
        for comment in self.comments():
            if self.is_ours(comment, name):
                path = f"{self.thread.comment}/{comment['id']}"
                self.ask(HttpRequest(self.thread.method, self.thread.api + path, body))
                return True
        self.connection.close()  # on a new connection nothing is sent twice
        self.ask(HttpRequest("POST", self.thread.api + self.thread.path, body))
        return False

    def own_name(self) -> str | None:
        """Return as whom the token comments; None where it is that of an app, such as a job's."""
        try:
            user, _ = self.ask(HttpRequest("GET", f"{self.thread.api}/user"))
        except ForbiddenError:
            return None
        return str(user.get(self.thread.author[1])) if isinstance(user, dict) else None

    def is_ours(self, comment: Any, name: str | None) -> bool:
        """Return whether a comment is one of ours: anybody can copy our marker, and be replaced."""
        if not (isinstance(comment, dict) and isinstance(comment.get("id"), int)):
            return False
        author = comment.get(self.thread.author[0])
        if not isinstance(author, dict) or not str(comment.get("body")).startswith(self.marker):
            return False
        if name is None:
            return author.get("type") == "Bot"
        return author.get(self.thread.author[1]) == name

    def comments(self) -> Iterator[Any]:
        """Yield the comments of all pages, the oldest first."""
        url: str | None = self.thread.api + self.thread.path + FIRST_PAGE
        for _ in range(MOST_PAGES):
            if url is None:
                return
            found, headers = self.ask(HttpRequest("GET", url))
            if not isinstance(found, list):
                raise UncommentedError(
                    f"cannot comment on {self.thread.title}: the server lists no comments"
                )
            yield from found
            url = self.next_page(url, headers)

    def next_page(self, url: str, headers: Mapping[str, str]) -> str | None:
        """Return the URL of the page behind one, None for none or one of another server."""
        match = NEXT.search(headers.get("link", ""))
        try:
            following = urljoin(url, match[1]) if match else None
            return following if following and origin_of(following) == origin_of(url) else None
        except ValueError:
            return None

    def ask(self, request: HttpRequest) -> tuple[Any, Mapping[str, str]]:
        """Return what a server answers, as JSON, and the reply's headers."""
        reply = self.connection.send(request)
        if reply.status in SUCCESS:
            try:
                return json.loads(reply.body), reply.headers
            except (ValueError, RecursionError):
                raise LaterError(f"{status_words(reply)} without an answer in JSON") from None
        raise self.fault(reply, request)

    def fault(self, reply: Reply, request: HttpRequest) -> Exception:
        """Return what a refusal means."""
        words = status_words(reply)
        replaced = request.method == self.thread.method
        if (
            reply.status in AGAIN
            or is_limit(reply)
            or (replaced and reply.status in {ABSENT, GONE})
        ):
            return LaterError(words, asked_pause(reply))
        if reply.status in {FORBIDDEN, ABSENT}:
            return ForbiddenError(words)
        if reply.status == REFUSED:
            return UsageError(
                f"cannot comment on {self.thread.title}: {words}; the token has expired, or is of "
                "another server: make a new one"
            )
        return UncommentedError(f"cannot comment on {self.thread.title}: {words}")


def is_limit(reply: Reply) -> bool:
    """Return whether a server refuses for having been asked too often, which GitHub says by 403."""
    headers = reply.headers
    return reply.status == FORBIDDEN and (
        "retry-after" in headers or headers.get("x-ratelimit-remaining") == "0"
    )
