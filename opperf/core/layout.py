"""Where a process's memory lies: at the same addresses each time it starts, where the system lets.

By default Linux starts every process at other addresses. Then what two processes run differs in how
code and data fall together in the caches and in the tables of the branch predictor: a short call
takes a few per cent more or less for the life of the process (docs/method.md, "Between processes").
"""

from __future__ import annotations

import ctypes
from contextlib import contextmanager
from typing import TYPE_CHECKING

from opperf.core.memory import available_memory

if TYPE_CHECKING:
    from collections.abc import Iterator

ADDR_NO_RANDOMIZE = 0x0040000
"""The bit of personality(2) that keeps a process's addresses from being random."""
ASK = 0xFFFFFFFF
HEAP, HEAP_SHARE = 256 * 2**20, 32
"""Bytes that a heap begins with, and the part of the memory at hand that they may be at most."""


def touch_heap(nbytes: int = HEAP) -> None:
    """Have the heap hold so many bytes that were written before anything is allocated there.

    What is written for the first time all at once lies in huge pages, where the heap may have them
    (`opperf.worker.handle.ALLOCATION`). Written bit by bit it would lie in small ones, until the
    kernel comes by and joins them, in one process sooner than in the other.
    """
    try:
        library = ctypes.CDLL(None)
        allocate, free = library.malloc, library.free
    except (AttributeError, OSError, TypeError):
        return
    allocate.argtypes, allocate.restype = [ctypes.c_size_t], ctypes.c_void_p
    free.argtypes, free.restype = [ctypes.c_void_p], None
    size = min(nbytes, (available_memory() or 0) // HEAP_SHARE)
    block = allocate(size)
    if block:  # it may be too much for a limit
        ctypes.memset(block, 0, size)
        free(block)


@contextmanager
def fixed_layout() -> Iterator[None]:
    """Have the processes that this thread starts meanwhile lie at fixed addresses.

    Where the system forbids it, as some containers do, nothing changes; a record tells by `aslr`.
    """
    before = personality(ASK)
    if before is None:
        yield
        return
    personality(before | ADDR_NO_RANDOMIZE)
    try:
        yield
    finally:
        personality(before)


def personality(value: int) -> int | None:
    """Set this thread's personality and return the former one, None where there is none."""
    try:
        call = ctypes.CDLL(None).personality
    except (AttributeError, OSError, TypeError):  # not Linux
        return None
    call.argtypes = [ctypes.c_ulong]
    found = int(call(value))
    return None if found < 0 else found
