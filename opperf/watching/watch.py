"""Running a command under watch: from its first moment until nothing of it is left."""

from __future__ import annotations

import os
import select
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from opperf.core.results.record import now
from opperf.measuring.worker.log import harmless
from opperf.measuring.worker.processes import MARK, end_marked
from opperf.watching.cgroup import MISSING, MemoryGroup
from opperf.watching.ending import Ending, judge
from opperf.watching.log import LineSplitter
from opperf.watching.pipes import CHUNK, LAST_WORDS, keeper_process
from opperf.watching.sampling import INTERVAL, TreeSampler
from opperf.watching.usage import Usage

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from opperf.watching.command import WatchCommand
    from opperf.watching.log import RotatedLog
    from opperf.watching.pipes import KeeperPipes
    from opperf.watching.usage import TreeSample

GRACE = 2.0
"""Seconds between the request to end and the end by force."""
TAIL = 2**12
DRAIN = 2**22
"""Bytes that are read of what a command has printed after it has ended: more than a pipe holds."""


@dataclass(frozen=True, kw_only=True)
class WatchOptions:
    """How a command is watched.

    Args:
        timeout: seconds after which it is ended with all that it has started; None for never.
        grace: seconds that it has to end by itself when it is asked to.
        interval: seconds between two samples of its memory, threads and processors.
        log: where its output goes.
        on_lines: called with what it prints as it comes, whole lines that end by a newline.
        on_sample: called with each sample, in the thread that takes them.
    """

    timeout: float | None = None
    grace: float = GRACE
    interval: float = INTERVAL
    log: RotatedLog | None = None
    on_lines: Callable[[bytes], None] | None = None
    on_sample: Callable[[TreeSample], None] | None = None


def watch(command: WatchCommand, options: WatchOptions | None = None) -> Ending:
    """Run a command until nothing of it is left, and return how it ended and what it took.

    Whatever happens in between, Ctrl-C included, none of its processes remains.

    Raises:
        UsageError: it could not be started; nothing was.
    """
    command.check()
    mark = uuid4().hex
    group = MemoryGroup.create(f"opperf-{mark[:12]}")
    job = {
        "arguments": command.words(),
        "variables": {**command.environment(), MARK: mark},
        "directory": str(command.directory or Path.cwd()),
        "cgroup": str(group.folder) if group.folder else None,
    }
    try:
        with keeper_process(job) as pipes:
            return CommandWatch(pipes, options or WatchOptions(), group).run()
    finally:
        end_marked(mark)
        group.remove()


class CommandWatch:
    """One command while it runs."""

    def __init__(self, pipes: KeeperPipes, options: WatchOptions, group: MemoryGroup) -> None:
        self.pipes = pipes
        self.options = options
        self.group = group
        self.usage = Usage()
        self.lines = LineSplitter()
        self.tail = bytearray()
        self.printing = True

    def run(self) -> Ending:
        """Let the command go once it has been looked at, and observe it to its end."""
        sampler = TreeSampler(
            self.pipes.process.pid, self.usage, self.options.interval, self.options.on_sample
        )
        self.wait_for_word(None)
        sampler.start()
        try:
            started_at, began = now(), time.perf_counter()
            self.pipes.order(b"go")
            report, late = self.wait_for_end(began)
            seconds = report.get("seconds", time.perf_counter() - began)
        finally:
            sampler.stop()
        self.drain()
        log = self.options.log
        usage = self.usage
        usage.seconds = seconds
        usage.peak_process = report.get("peak")
        usage.cpu_seconds = report.get("cpu_seconds")
        usage.io = dict(report.get("io", {}))
        usage.cgroup_peak = self.group.peak()
        usage.cgroup_reason = MISSING
        fields: dict[str, Any] = judge(dict(report), self.options.timeout if late else None)
        return Ending(
            **fields, seconds=seconds, started_at=started_at, usage=usage,
            tail=harmless(bytes(self.tail)), outliving=report.get("outliving", 0),
            unkillable=report.get("left", []), log_fault=log.fault if log else None,
        )  # fmt: skip

    def wait_for_end(self, began: float) -> tuple[Mapping[str, Any], bool]:
        """Return the keeper's last words, and whether the command had to be ended."""
        timeout = self.options.timeout
        if timeout is None:
            return self.wait_for_word(None) or {}, False
        report = self.wait_for_word(began + timeout)
        if report is not None:
            return report, False
        self.pipes.order(b"end")
        report = self.wait_for_word(time.perf_counter() + self.options.grace)
        if report is None:
            self.pipes.release()
            report = self.wait_for_word(time.perf_counter() + LAST_WORDS)
        return report or {}, True

    def wait_for_word(self, deadline: float | None) -> Mapping[str, Any] | None:
        """Return the keeper's next line, taking what is printed meanwhile; None if none in time."""
        while True:
            rest = None if deadline is None else deadline - time.perf_counter()
            if rest is not None and rest <= 0:
                return None
            ends = [self.pipes.report, *([self.pipes.output] if self.printing else [])]
            ready, _, _ = select.select(ends, [], [], rest)
            if self.pipes.output in ready:
                self.take()
            if self.pipes.report in ready and (word := self.pipes.hear()) is not None:
                return word

    def take(self) -> int:
        """Take a piece of the output; return how many bytes it had."""
        try:
            data = os.read(self.pipes.output, CHUNK)
        except BlockingIOError:
            return 0
        if not data:
            self.printing = False
            return 0
        self.tail = (self.tail + data[-TAIL:])[-TAIL:]
        if self.options.log:
            self.options.log.write(data)
        self.hand_on(self.lines.feed(data))
        return len(data)

    def drain(self) -> None:
        """Take what was printed last."""
        taken = 0
        while self.printing and taken < DRAIN and (size := self.take()):
            taken += size
        self.hand_on(self.lines.end())

    def hand_on(self, lines: bytes) -> None:
        """Give whole lines to who wants them."""
        if lines and self.options.on_lines:
            self.options.on_lines(lines)
