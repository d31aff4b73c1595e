"""What a call takes of the host's memory, whoever allocates it, and when: the pages that it writes.

A forked process that only sleeps shares every page with this one. What this one writes from then
on is a copy or new, and of each page the kernel tells whether it is shared (/proc/self/pagemap, bit
56 since Linux 4.2). So scratch that a framework keeps from call to call is seen, and gradients that
are written where others were; an allocator's own books show neither.

What is freed during the call is gone by then. The kernel tells the most memory there was (VmHWM,
forgotten by writing 5 to /proc/self/clear_refs), provided that freed memory leaves the process: the
one that finds out has settings of its own (`opperf.measuring.worker.variables.MEMORY`), and
measures no time.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import signal
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, TypeVar

from opperf.core.memory.pagemap import exclusive, make_room, read_entries

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from opperf.core.memory.span import Span
    from opperf.core.tensors.tensor import Array

    Results = TypeVar("Results")

LEAST_FREED = 256 * 2**10
"""Bytes below which the kernel's own count of what is in use is not exact."""
ATTEMPTS = 20
LEAST_RUN = 64 * 2**10
"""Bytes in a row below which written memory is not counted: a call's own notes (objects, stacks,
headers of the allocator) come to half a megabyte, in pieces of a few pages."""
TRIAL, TOLERANCE = 16 * 2**20, 2 * 2**20
"""Bytes that are written and freed to find out whether that is seen, and how far it may be off."""
ENDING: list[int] = []
"""Processes that were told to end and have not been waited for."""
SET_THP_DISABLE, GET_THP_DISABLE = 41, 42
"""What prctl(2) calls the switch of transparent huge pages."""


@dataclass(frozen=True)
class Pages:
    """The pages that a call wrote, by their numbers, ascending, and what it has freed again.

    The latter are the bytes by which it once had more than it has at its end.
    """

    numbers: Array
    freed: int = 0

    def beside(self, spans: Sequence[Span], *, made: bool = True) -> int:
        """Return the bytes taken outside of these spans, each a first address and bytes.

        It does not matter whether the call `made` the spans or found them: they were written.
        """
        del made
        import numpy as np

        left = self.numbers
        for start, nbytes in spans:
            first, last = start // mmap.PAGESIZE, (start + max(nbytes, 1) - 1) // mmap.PAGESIZE
            left = left[(left < first) | (left > last)]
        runs = np.split(left, np.flatnonzero(np.diff(left) != 1) + 1)
        sizes = (run.size * mmap.PAGESIZE for run in runs)
        return self.freed + sum(size for size in sizes if size >= LEAST_RUN)


def watch(call: Callable[[], Results]) -> tuple[Results, Pages | None]:
    """Return what the call returns, and the pages that it wrote, None where that cannot be told."""
    if is_told():
        with suppress(OSError, ValueError):  # no memory for another process, say
            return trace_writes(call)
    return call(), None


@cache
def is_told() -> bool:
    """Return whether what is written, and freed again, is seen in this process: by trying it out.

    It is where kernel and C library offer what this takes.
    """
    try:
        _, pages = trace_writes(try_out)
    except (OSError, ValueError, AttributeError):
        return False
    return abs(pages.beside([]) - TRIAL) <= TOLERANCE


def try_out() -> None:
    """Allocate a block, write it and free it, in another thread, as engines do."""
    library = ctypes.CDLL(None)
    library.malloc.restype = ctypes.c_void_p

    def write() -> None:
        block = ctypes.c_void_p(library.malloc(ctypes.c_size_t(TRIAL)))
        if block:
            ctypes.memset(block, 1, TRIAL)
        library.free(block)

    thread = Thread(target=write)
    thread.start()
    thread.join()


def trace_writes(call: Callable[[], Results]) -> tuple[Results, Pages]:
    """Return what the call returns, and the pages that it wrote.

    In a process of 500 MiB this takes some 25 ms: the kernel goes through all of its pages twice.

    Raises:
        AttributeError: the C library cannot fork without telling its users.
        OSError: the system does not offer what this takes.
        ValueError: there are more mappings than there was room for.
    """
    room = make_room()
    with small_pages(), sharing():
        forget_peak()
        results = call()
        found, freed = read_at_rest(room)
    return results, Pages(exclusive(room, found), freed)


def forget_peak() -> None:
    """Have the kernel take the memory that is used now for the most that ever was."""
    with open("/proc/self/clear_refs", "w") as file:  # noqa: PTH123 - likewise
        file.write("5")


def read_at_rest(room: mmap.mmap) -> tuple[Sequence[Span], int]:
    """Read the entries while nothing is freed; return their regions and what was freed before.

    An engine frees some time after it says that all is done.
    """
    first = before = in_use()
    for _ in range(ATTEMPTS):
        found, after = read_entries(room), in_use()
        if abs(after["RssAnon"] - before["RssAnon"]) < LEAST_FREED:
            break
        before = after
    # Less what reading has taken, which is shared memory.
    freed = first["VmHWM"] - first["VmRSS"] + first["RssAnon"] - after["RssAnon"]
    return found, freed if freed >= LEAST_FREED else 0


def in_use() -> dict[str, int]:
    """Return the bytes that are in use by the kernel's names, and VmHWM, the most there were."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    fields = (line.split() for line in lines if line.startswith(("VmHWM", "VmRSS", "RssAnon")))
    return {name.rstrip(":"): int(value) * 1024 for name, value, *_ in fields}


@contextmanager
def small_pages() -> Iterator[None]:
    """Keep the kernel from handing out huge pages, which are written as a whole at first touch."""
    prctl = ctypes.CDLL(None).prctl
    before = prctl(GET_THP_DISABLE, 0, 0, 0, 0)
    prctl(SET_THP_DISABLE, 1, 0, 0, 0)
    try:
        yield
    finally:
        prctl(SET_THP_DISABLE, max(before, 0), 0, 0, 0)


@contextmanager
def sharing() -> Iterator[None]:
    """Hold a process that shares this one's pages and does nothing.

    It is forked past the handlers that libraries register: MXNet's would stop its engine.
    """
    reap()
    # Python's lock is kept, so that the child may run Python: no other thread lives on in it.
    fork = ctypes.PyDLL(None, use_errno=True)["_Fork"]
    awaited, held = os.pipe()
    child = fork()
    if child == 0:
        sleep_until_closed(awaited, held)
    os.close(awaited)
    try:
        if child < 0:
            raise OSError(ctypes.get_errno(), "cannot fork")
        yield
    finally:
        os.close(held)
        if child > 0:
            os.kill(child, signal.SIGKILL)
            ENDING.append(child)


def reap() -> None:
    """Let go of the processes that have ended, and of those that somebody else has waited for.

    One takes as long to end as it took to fork. Nobody has to wait for that.
    """
    for child in ENDING.copy():
        try:
            ended, _ = os.waitpid(child, os.WNOHANG)
        except ChildProcessError:
            ended = child
        if ended:
            ENDING.remove(child)


def sleep_until_closed(reading: int, writing: int) -> None:
    """Do nothing until the other process has closed its end of the pipe, or is gone; then end."""
    try:
        os.close(writing)
        os.read(reading, 1)
    finally:
        os._exit(0)
