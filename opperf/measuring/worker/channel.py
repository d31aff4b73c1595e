"""The parent's ends of the pipes to a child: requests go down, events and its output come up."""

from __future__ import annotations

import os
import select
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from opperf.core.errors import WorkerError
from opperf.measuring.worker.endings import ClosedError, Hung
from opperf.measuring.worker.protocol import SHOWN, decode, new_token, request

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.measuring.worker.log import OutputLog

MOST_REPLY = 64 * 2**20
WATCH = 0.25
"""Seconds between two looks at what the child takes of the memory: each takes a tenth of a
millisecond of this process, and the child none."""
QUIET = 0.05
"""Seconds for which this process sleeps on after it was woken by what the child prints."""


@dataclass
class Channel:
    """The pipes to one child. `token` is that of the request in hand, `hint` of what is prefetched.

    The child's life ends with `lifeline`, of which it holds the other end.
    """

    log: OutputLog
    token: str = field(default_factory=new_token)
    hint: str = ""
    buffer: bytearray = field(default_factory=bytearray)

    def open(self) -> tuple[int, int, int, int]:
        """Return the child's ends: requests, replies, lifeline, and what it prints to."""
        requests, self.requests = os.pipe()
        self.replies, replies = os.pipe()
        lifeline, self.lifeline = os.pipe()
        return requests, replies, lifeline, self.log.open()

    def close(self) -> None:
        """Let go of the pipes; what was printed stays."""
        for end in (self.requests, self.replies, self.lifeline):
            os.close(end)
        self.log.close()

    def send(self, message: str) -> None:
        """Send a request; what the child prints from now on belongs to it."""
        self.token = new_token()
        self.write(self.token, message)

    def prefetch(self, message: str) -> None:
        """Send the next task ahead; its answer may arrive during the request that follows."""
        self.hint = new_token()
        self.write(self.hint, message)

    def write(self, token: str, message: str) -> None:
        """Write a request with its token."""
        self.log.mark()
        with suppress(BrokenPipeError):
            os.write(self.requests, request(token, message))

    def receive(self, seconds: float, watch: Callable[[], None]) -> dict[str, Any]:
        """Return the child's next message; `watch` is called four times a second meanwhile.

        Raises:
            Hung: none came in time.
            ClosedError: none will come.
            WorkerError: what came is no message, or not of the request in hand.
        """
        line = self.line(seconds, watch)
        try:
            token, message = decode(line)
        except ValueError as error:
            raise WorkerError(f"{quote_output(line)}, which is no message: {error}") from None
        expected = self.hint if message["event"] == "prefetched" else self.token
        if token not in (expected, self.token):
            raise WorkerError(f"{quote_output(line)}, which answers nothing that was asked")
        return message

    def line(self, seconds: float, watch: Callable[[], None]) -> bytes:
        """Return the next line; sleep until it comes."""
        deadline, woken = time.monotonic() + seconds, 0.0
        scanned = 0
        while (end := self.buffer.find(b"\n", scanned)) < 0:
            scanned = len(self.buffer)
            now = time.monotonic()
            if now >= deadline:
                raise Hung(seconds)
            pipe = self.log.pipe if now >= woken + QUIET else None
            ends = [self.replies] if pipe is None else [self.replies, pipe]
            pause = min(deadline - now, self.pause(woken, now))
            readable = select.select(ends, [], [], pause)[0]
            if pipe in readable:
                self.log.read()
                woken = time.monotonic()
            if self.replies in readable:
                self.take()
            else:
                watch()
        line = bytes(self.buffer[:end])
        del self.buffer[: end + 1]
        return line

    def pause(self, wake: float, now: float) -> float:
        """Return how long to sleep at most: until the next look at what is printed, or taken."""
        waits = self.log.pipe is not None and now < wake + QUIET
        return wake + QUIET - now if waits else WATCH

    def take(self) -> None:
        """Take what the child has written."""
        data = os.read(self.replies, 2**20)
        if not data:
            raise ClosedError("the measuring process closed its pipe")
        self.buffer += data
        if len(self.buffer) > MOST_REPLY:
            raise WorkerError("the measuring process sent too long a line")


def quote_output(line: bytes) -> str:
    """Return what the child said, as the beginning of a sentence."""
    return f"the measuring process said {line[:SHOWN]!r}"
