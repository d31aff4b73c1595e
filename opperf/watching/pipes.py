"""The keeper as its parent has it: started, given orders, listened to, and ended."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from fcntl import F_SETPIPE_SZ, fcntl
from typing import TYPE_CHECKING, Any

from opperf.core.errors import LoadingError
from opperf.watching import keeper

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

CHUNK = 2**18
"""Bytes that are read at once, and that a pipe of output holds where the kernel lets it."""
LAST_WORDS = keeper.LONGEST_END + 20.0
"""Seconds in which the keeper ends all processes and says so."""


@dataclass
class KeeperPipes:
    """The parent's ends of the pipes to a keeper: orders down, its words and the output up."""

    process: subprocess.Popen[bytes]
    control: int
    report: int
    output: int
    words: bytearray = field(default_factory=bytearray)

    def order(self, word: bytes) -> None:
        """Send an order; a keeper that has ended needs none."""
        with suppress(OSError):
            os.write(self.control, word + b"\n")

    def release(self) -> None:
        """Let the keeper kill what is left, as it does once nobody can give it orders."""
        if self.control >= 0:
            os.close(self.control)
            self.control = -1

    def hear(self) -> Mapping[str, Any] | None:
        """Return the keeper's next line, {} where there is none any more, None where none yet."""
        if b"\n" not in self.words:
            data = os.read(self.report, CHUNK)
            if not data:
                return {}
            self.words += data
        line, found, rest = self.words.partition(b"\n")
        if not found:
            return None
        self.words = rest
        message: Mapping[str, Any] = json.loads(line)
        return message


@contextmanager
def keeper_process(job: Mapping[str, Any]) -> Iterator[KeeperPipes]:
    """Start a keeper and hand it its job; at the end nothing that hung below it is left."""
    control, orders = os.pipe()
    report, say = os.pipe()
    output, printing = os.pipe()
    try:
        process = subprocess.Popen(  # noqa: S603 - our own script, arguments as a list
            [sys.executable, "-I", "-S", keeper.__file__, str(control), str(say)],
            stdin=subprocess.DEVNULL,
            stdout=printing,
            stderr=printing,
            pass_fds=(control, say),
            start_new_session=True,
        )
    except OSError as error:
        for end in (orders, report, output):
            os.close(end)
        raise LoadingError(f"cannot start {sys.executable}: {error.strerror}") from error
    finally:
        for end in (control, say, printing):
            os.close(end)
    pipes = KeeperPipes(process, orders, report, output)
    try:
        os.set_blocking(output, False)
        with suppress(OSError):  # more than this user may have
            fcntl(output, F_SETPIPE_SZ, CHUNK)
        with suppress(BrokenPipeError), os.fdopen(os.dup(orders), "wb") as stream:
            stream.write(json.dumps(job).encode() + b"\n")
        yield pipes
    finally:
        pipes.release()
        end_keeper(process)
        for end in (report, output):
            os.close(end)


def end_keeper(process: subprocess.Popen[bytes]) -> None:
    """Wait for a keeper that has lost its control pipe: it ends all that hangs below it."""
    try:
        process.wait(LAST_WORDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
