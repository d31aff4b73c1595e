"""The processor's own counters of what this process does in user space.

By perf_event_open(2), which glibc does not wrap. A machine that does not offer it, a virtual one
without performance counters or a container that forbids the call, has no figure and says why.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

AVAILABLE = "available"
CALLS = {"x86_64": 298, "aarch64": 241}
"""The system call's number on each machine."""
TASKS = Path("/proc/self/task")
PARANOID = Path("/proc/sys/kernel/perf_event_paranoid")
ATTRIBUTES, SIZE = "=IIQQQQQ", 112
"""type, size, config, period, sample type, read format and flags; the rest is zero."""
TIMES = 1 | 2
"""Read how long the counter was wanted and how long it ran as well."""
USER_ONLY = (1 << 5) | (1 << 6)
"""Neither the kernel nor a hypervisor is counted: so it is allowed where little is."""
READ = struct.Struct("=QQQ")
WORDS = {
    errno.ENOENT: "this machine has no hardware counters, as is common for a virtual one",
    errno.ENODEV: "this processor has no such counter",
    errno.EOPNOTSUPP: "this processor has no such counter",
    errno.ENOSYS: "this system does not offer perf_event_open",
    errno.EMFILE: "too many files are open",
}


@dataclass(frozen=True)
class Event:
    """What is counted, by the kernel's type and number."""

    type: int
    number: int


INSTRUCTIONS = Event(0, 1)


@dataclass
class Counters:
    """A counter for each thread that this process has now, between entering and leaving."""

    event: Event = INSTRUCTIONS
    files: list[int] = field(default_factory=list)

    def __enter__(self) -> Counters:  # noqa: PYI034 - Self needs Python 3.11
        """Start counting.

        Raises:
            OSError: the machine does not count this, or does not let us.
        """
        try:
            for thread in TASKS.iterdir():
                with suppress(ProcessLookupError):  # it has ended meanwhile
                    self.files.append(open_counter(self.event, int(thread.name)))
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop counting."""
        while self.files:
            os.close(self.files.pop())

    def read(self) -> int | None:
        """Return the count of all threads, None where the processor had to take turns."""
        found = [READ.unpack(os.read(file, READ.size)) for file in self.files]
        return None if any(ran < wanted for _, wanted, ran in found) else sum(n for n, *_ in found)


def open_counter(event: Event, thread: int) -> int:
    """Return a file that counts a thread's events from now on, in user space.

    Raises:
        OSError: the machine does not count this, or does not let us.
    """
    number = CALLS.get(platform.machine())
    if number is None or sys.platform != "linux":
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    packed = struct.pack(ATTRIBUTES, event.type, SIZE, event.number, 0, 0, TIMES, USER_ONLY)
    attributes = ctypes.create_string_buffer(packed, SIZE)
    library = ctypes.CDLL(None, use_errno=True)
    close_on_exec = 8
    file = int(library.syscall(number, attributes, thread, -1, -1, close_on_exec))
    if file < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return file


def availability() -> str:
    """Return "available", or in one line why instructions cannot be counted."""
    try:
        os.close(open_counter(INSTRUCTIONS, 0))
    except OSError as error:
        return why_not(error)
    return AVAILABLE


def why_not(error: OSError) -> str:
    """Return why a counter could not be opened."""
    if error.errno in {errno.EACCES, errno.EPERM}:
        try:
            level = PARANOID.read_text().strip()
        except OSError:
            level = "unknown"
        return f"not permitted: kernel.perf_event_paranoid is {level}, or a sandbox forbids it"
    return WORDS.get(error.errno or 0, str(error.strerror))
