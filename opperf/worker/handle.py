"""The parent's handle on a child that measures."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from opperf.core.configuration.settings import LAID_OUT, PLAIN
from opperf.core.errors import UsageError, WorkerError
from opperf.core.memory.layout import fixed_layout
from opperf.worker.log import Log
from opperf.worker.protocol import Foresight, decode
from opperf.worker.variables import MEMORY, inherited

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opperf.worker.protocol import Request, Task

MOST_REPLY = 64 * 2**20
GRACE = 5.0
LOADING = 60.0
"""Seconds that a framework may take to load, however little an operator may."""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Seconds without a sign of life, those that a compilation may take, and bytes of memory."""

    timeout: float = 60.0
    compile_timeout: float = 600.0
    memory: int | None = None


class Ended(WorkerError):  # noqa: N818 - an ending, not always an error
    """The child ended by itself: its exit status, negative for a signal."""

    def __init__(self, status: int) -> None:
        super().__init__(f"the measuring process ended with status {status}")
        self.status = status


class Hung(WorkerError):  # noqa: N818 - a state
    """The child gave no sign of life in time."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"no answer within {seconds:g} s")


@dataclass
class Worker:
    """A child process that measures one framework under one thread count.

    Args:
        framework: the framework's name.
        device: where it is to measure.
        threads: its thread count.
        limits: its time and memory.
        variables: environment variables on top of what a child inherits.
        plain: whether it is left as a user's own process is, its memory not laid out.
        cores: how many cores it is kept to, None for as many as that takes.
        python: the interpreter that runs it.
        module: its program, which takes the arguments of `opperf.child`.
    """

    framework: str
    device: str
    threads: int
    limits: Limits
    variables: Mapping[str, str] = field(default_factory=dict)
    plain: bool = False
    cores: int | None = None
    python: str = sys.executable
    module: str = "opperf.child"
    environment: Mapping[str, Any] = field(default_factory=dict)
    process: subprocess.Popen[bytes] | None = None
    log: Log = field(default_factory=Log)
    buffer: bytearray = field(default_factory=bytearray)

    def for_memory(self) -> Worker:
        """Return a child for the memory pass of what this one measures."""
        return Worker(
            framework=self.framework,
            device=self.device,
            threads=self.threads,
            limits=self.limits,
            variables={**self.variables, **MEMORY},
            python=self.python,
            module="opperf.memory_child",
        )

    def start(self) -> None:
        """Start the child; it loads its framework while others start."""
        requests, self.requests = os.pipe()
        self.replies, replies = os.pipe()
        lifeline, self.lifeline = os.pipe()
        fds = (requests, replies, lifeline)
        arguments = [self.framework, self.device, str(self.threads), *map(str, fds)]
        kind = PLAIN if self.plain else LAID_OUT
        bounds = [str(self.limits.memory or 0), str(self.cores or 0), kind]
        try:
            with nullcontext() if self.plain else fixed_layout():
                self.process = subprocess.Popen(  # noqa: S603 - our own module, arguments as a list
                    [self.python, "-m", self.module, *arguments, *bounds],
                    stdin=subprocess.DEVNULL,
                    stdout=self.log.file,
                    stderr=self.log.file,
                    env=inherited(self.framework, self.threads, self.variables, plain=self.plain),
                    pass_fds=fds,
                    start_new_session=True,
                )
        finally:
            for fd in fds:
                os.close(fd)

    def wait_until_ready(self) -> None:
        """Wait for the child's framework to load; it says what it found.

        Raises:
            UsageError: the framework cannot be imported or the device is not there.
        """
        try:
            message = self.receive(max(self.limits.timeout, LOADING))
        except WorkerError as error:
            self.stop()
            raise UsageError(
                f"framework {self.framework!r} did not load: {error}; "
                f"it said: {self.log.last_line() or 'nothing'}"
            ) from None
        if message["event"] == "refused":
            self.stop()
            raise UsageError(message["reason"])
        self.environment = message["environment"]

    def run(self, task: Request) -> Iterator[dict[str, Any]]:
        """Send a task and yield its events as they come, up to and with `done`.

        Yields `foresight` as what was foreseen is got ready and `row` as a row begins, both with
        `compiles`, `result` as a row ends, and `done` with the bytes of the heap left `idle`.

        Raises:
            Ended: the child died.
            Hung: a row took longer than its time.
        """
        self.send(task.to_json())
        allowed = self.limits.timeout
        while True:
            message = self.receive(allowed)
            if "compiles" in message:
                extra = self.limits.compile_timeout if message["compiles"] else 0.0
                allowed = self.limits.timeout + extra
            yield message
            if message["event"] == "done":
                return

    def foresee(self, task: Task) -> None:
        """Have a child that waits get ready for a task to come; `run` waits until it is."""
        if self.process is not None:
            self.send(Foresight(task).to_json())

    def ask(self, message: Mapping[str, Any], extra: float = 0.0) -> dict[str, Any]:
        """Send a message and return the one that answers it; `extra` seconds may it take longer.

        Raises:
            Ended: the child died.
            Hung: it took longer than its time.
        """
        self.send(json.dumps(message, allow_nan=False))
        return self.receive(self.limits.timeout + extra)

    def send(self, line: str) -> None:
        """Send a line; what a child prints from now on belongs to it."""
        self.log.mark()
        with suppress(BrokenPipeError):
            os.write(self.requests, line.encode() + b"\n")

    def receive(self, seconds: float) -> dict[str, Any]:
        """Return the child's next message; sleep until it comes."""
        deadline = time.monotonic() + seconds
        while b"\n" not in self.buffer:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.replies], [], [], left)[0]:
                raise Hung(seconds)
            data = os.read(self.replies, 2**20)
            if not data:
                raise Ended(self.reap())
            self.buffer += data
            if len(self.buffer) > MOST_REPLY:
                raise WorkerError("the measuring process sent too long a line")
        line, _, rest = bytes(self.buffer).partition(b"\n")
        self.buffer[:] = rest
        try:
            return decode(line)
        except ValueError:
            raise WorkerError(f"the measuring process said {line[:80]!r}") from None

    def reap(self) -> int:
        """Return the exit status of a child that has closed its pipe."""
        if self.process is None:
            return 0
        try:
            return self.process.wait(GRACE)
        except subprocess.TimeoutExpired:
            self.kill()
            return self.process.wait()

    def kill(self) -> None:
        """End the child and everything it has started."""
        if self.process is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)

    def stop(self) -> None:
        """End the child, its group and the pipes; what is left of it is reaped."""
        if self.process is None:
            return
        self.kill()
        self.process.wait()
        for fd in (self.requests, self.replies, self.lifeline):
            os.close(fd)
        self.process = None
        self.buffer.clear()

    def close(self) -> None:
        """End the child for good, and let go of what it has printed."""
        self.stop()
        self.log.file.close()

    def ensure(self) -> None:
        """Start a fresh child where there is none, and wait until it can measure.

        One that died while it waited, killed by the system for memory, say, is replaced: the next
        operator is not to blame.
        """
        if self.process is not None and self.process.poll() is not None:
            self.stop()
        if self.process is None:
            self.start()
            self.wait_until_ready()
