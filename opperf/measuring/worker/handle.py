"""The parent's handle on a child that measures."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING, Any

from opperf.core.configuration.settings import LAID_OUT, PLAIN
from opperf.core.errors import LoadingError, UsageError, WorkerError
from opperf.measuring.worker.channel import WATCH, Channel
from opperf.measuring.worker.endings import ClosedError, Ended, Hung, TooLarge
from opperf.measuring.worker.launch import launch
from opperf.measuring.worker.log import OutputLog
from opperf.measuring.worker.processes import MARK, end_marked, memory_of
from opperf.measuring.worker.protocol import WORKING, Prefetch, new_token
from opperf.measuring.worker.variables import MEMORY, child_variables

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from opperf.measuring.worker.protocol import Request
    from opperf.planning.task import Task

GRACE = 5.0
LOADING = 60.0
"""Seconds that a framework may take to load, however little an operator may."""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Seconds without a sign of life, those that a compilation may take, and bytes of memory.

    `together` are the bytes that all children of a run may hold.
    """

    timeout: float = 60.0
    compile_timeout: float = 600.0
    memory: int | None = None
    together: int | None = None


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
        module, memory_module: its program and its memory pass's, such as `children.timing`.
        used: whether the child has been asked for anything since it was started.
        others: those that wait while this one works.
    """

    framework: str
    device: str
    threads: int
    limits: Limits
    variables: Mapping[str, str] = field(default_factory=dict)
    plain: bool = False
    cores: int | None = None
    python: str = sys.executable
    module: str = "opperf.measuring.children.timing"
    memory_module: str = "opperf.measuring.children.memory"
    environment: Mapping[str, Any] = field(default_factory=dict)
    process: subprocess.Popen[bytes] | None = None
    log: OutputLog = field(default_factory=OutputLog)
    used: bool = False
    others: Sequence[Worker] = ()
    watched: float = 0.0

    def for_memory(self) -> Worker:
        """Return a child for the memory pass of what this one measures."""
        return Worker(
            framework=self.framework,
            device=self.device,
            threads=self.threads,
            limits=self.limits,
            variables={**self.variables, **MEMORY},
            python=self.python,
            module=self.memory_module,
        )

    def start(self) -> None:
        """Start the child; it loads its framework while others start."""
        self.channel, self.mark, self.used = Channel(self.log), new_token(), False
        *fds, output = self.channel.open()
        arguments = [self.framework, self.device, str(self.threads), *map(str, fds)]
        kind = PLAIN if self.plain else LAID_OUT
        bounds = [str(self.limits.memory or 0), str(self.cores or 0), kind]
        variables = child_variables(self.framework, self.threads, self.variables, plain=self.plain)
        try:
            self.process = launch(
                self.python,
                [self.module, *arguments, *bounds],
                {**variables, MARK: self.mark},
                fds,
                output,
                plain=self.plain,
            )
        except LoadingError:
            self.channel.close()
            raise
        self.channel.send("{}")

    def wait_until_ready(self) -> None:
        """Wait for the child's framework to load; it says what it found.

        Raises:
            LoadingError: the framework cannot be imported.
            UsageError: the device is not there.
        """
        try:
            message = self.receive(max(self.limits.timeout, LOADING))
        except WorkerError as error:
            said = self.log.last_line() or "nothing"
            self.stop()
            text = f"framework {self.framework!r} did not load: {error}; it said: {said}"
            raise LoadingError(text, "timeout" if isinstance(error, Hung) else "crashed") from None
        if message["event"] != "loaded":
            self.stop()
            said = message.get("reason", message["event"])
            raise LoadingError(said) if message["event"] == "broken" else UsageError(said)
        self.environment = message["environment"]

    def run(self, task: Request) -> Iterator[dict[str, Any]]:
        """Send a task and yield its events as they come, up to and with `done`.

        Yields `prefetched` as what was prefetched is got ready and `row` as a row begins, both with
        `compiles`, `working` with the seconds it asks for, `result` as a row ends, and `done` with
        the bytes of the heap left `idle` and what the process has `changed` of itself.

        Raises:
            Ended: the child died.
            Hung: a row took longer than its time.
            TooLarge: it holds too much memory.
            WorkerError: it said something else.
        """
        self.channel.send(task.to_json())
        self.used, allowed = True, self.limits.timeout
        while True:
            message = self.receive(allowed)
            if message["event"] == WORKING:
                allowed = self.limits.timeout + message["seconds"]
            elif "compiles" in message:
                extra = self.limits.compile_timeout if message["compiles"] else 0.0
                allowed = self.limits.timeout + extra
            yield message
            if message["event"] == "done":
                return

    def prefetch(self, task: Task) -> None:
        """Have a child that waits get ready for a task to come; `run` waits until it is."""
        if self.process is not None:
            self.channel.prefetch(Prefetch(task).to_json())

    def ask(self, message: Mapping[str, Any], extra: float = 0.0) -> dict[str, Any]:
        """Send a message and return its answer; `extra`: seconds added to the time-out.

        Raises:
            WorkerError: as `run` does.
        """
        self.channel.send(json.dumps(message, allow_nan=False))
        self.used = True
        return self.receive(self.limits.timeout + extra)

    def receive(self, seconds: float) -> dict[str, Any]:
        """Return the child's next message; sleep until it comes."""
        try:
            return self.channel.receive(seconds, self.watch)
        except ClosedError:
            status = self.reap()
            if status is None:
                raise
            raise Ended(status) from None

    def watch(self) -> None:
        """Refuse a child that holds too much memory; what it shares no limit of the system bounds.

        Where it and those that wait hold too much together, those are ended: they hold what
        earlier operators have left.

        Raises:
            TooLarge: it does.
        """
        limit, now = self.limits.memory, time.monotonic()
        if self.process is None or limit is None or now < self.watched + WATCH:
            return
        self.watched = now
        held = self.held_bytes()
        if held > limit:
            raise TooLarge(held, limit)
        if held + sum(other.held_bytes() for other in self.others) > (self.limits.together or inf):
            for other in self.others:
                other.stop()

    def held_bytes(self) -> int:
        """Return the bytes that the child and all that it has started hold."""
        if self.process is None:
            return 0
        return memory_of(self.process.pid, self.limits.memory or 0)

    def reap(self) -> int | None:
        """Return the exit status of a child that has closed its pipe, None where it lives on."""
        if self.process is None:
            return 0
        try:
            return self.process.wait(GRACE)
        except subprocess.TimeoutExpired:
            return None

    def stop(self) -> None:
        """End the child, all that it has started, and the pipes; what is left of it is reaped."""
        if self.process is None:
            return
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        end_marked(self.mark)
        self.process.wait()
        self.channel.close()
        self.process = None

    def close(self) -> None:
        """End the child for good."""
        self.stop()

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
