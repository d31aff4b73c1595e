"""The C library's heap: how much of it is in use, and where the next block comes to lie.

A block lies wherever one was freed before. Two free ones of a size are used in turn, and an output
written to one after the other is not found in the cache: PyTorch fills 4 MB in 200 us, or in 450,
by what was freed before it (docs/lab/method.md, "Between processes").
"""

from __future__ import annotations

import ctypes
import os
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

from opperf.core.memory.available import available_memory

if TYPE_CHECKING:
    from collections.abc import Iterator

FIELDS = (
    "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks",
    "keepcost",
)  # fmt: skip
HEAP, HEAP_SHARE = 256 * 2**20, 32
"""Bytes that a heap begins with, and the part of the memory at hand that they may be at most."""
SMALLEST = 1040
"""Bytes from which a block is not kept for the thread that freed it, which takes the last first."""
CACHED, CACHED_STEP = 7, 16
"""How many blocks of a size a thread's cache holds, and by how many bytes the sizes differ."""
RESERVE, MOST_BLOCKS = 256 * 2**10, 8192
"""Bytes that are left free within the heap, and how many pieces at most are filled."""


class MallInfo(ctypes.Structure):
    """What mallinfo2(3) returns: bytes and counts of all arenas together."""

    _fields_ = [(name, ctypes.c_size_t) for name in FIELDS]


@cache
def library() -> Any:
    """Return the C library, None where it does not tell what is in use, as glibc 2.33 does."""
    try:
        found = ctypes.CDLL(None)
        found.mallinfo2.restype = MallInfo
        found.malloc.restype = ctypes.c_void_p
        found.malloc.argtypes = [ctypes.c_size_t]
        found.sbrk.restype = ctypes.c_void_p
        found.sbrk.argtypes = [ctypes.c_ssize_t]
        found.free.restype = None
        found.free.argtypes = [ctypes.c_void_p]
    except (AttributeError, OSError, TypeError):
        return None
    return found


def held_bytes() -> int | None:
    """Return the bytes that are allocated and not freed; None where the C library cannot tell."""
    found = library()
    if found is None:
        return None
    info = found.mallinfo2()
    return int(info.uordblks + info.hblkhd)


def idle_bytes() -> int:
    """Return the bytes that are free between what is in use, zero where the C library is silent.

    Each row makes the heap grow by what its outputs take, for those holes are filled meanwhile.
    """
    found = library()
    info = found.mallinfo2() if found else MallInfo()
    return int(info.fordblks - info.keepcost)


def touch_heap(nbytes: int = HEAP) -> None:
    """Have the heap hold so many bytes that were written before anything is allocated there.

    What is written for the first time all at once lies in huge pages, where the heap may have them
    (`opperf.measuring.worker.variables.ALLOCATION`). Written bit by bit it would lie in small ones,
    until the kernel comes by and joins them, in one process sooner than in the other.
    """
    heap = library()
    size = min(nbytes, (available_memory() or 0) // HEAP_SHARE)
    block = heap.malloc(size) if heap else None
    if block:  # it may be too much for a limit
        ctypes.memset(block, 0, size)
        heap.free(block)


@contextmanager
def holes_filled() -> Iterator[None]:
    """Hold what is free within the heap, so that larger blocks come to lie at its end, in a row.

    Some room is left for what a framework notes down meanwhile: such a note right behind an output
    would keep the output's memory, once free, from being the heap's end again.

    Only where the heap keeps what is freed at its end, as a child's does: elsewhere each output
    would be memory new to the process.
    """
    heap = library() if "trim_threshold" in os.environ.get("GLIBC_TUNABLES", "") else None
    if heap is None:
        yield
        return
    blocks = fill_but_for_notes(heap)
    try:
        yield
    finally:
        for block in reversed(blocks):
            heap.free(block)


def fill_but_for_notes(heap: Any) -> list[int]:
    """Fill the holes and leave one; return the blocks."""
    fill_cache(heap)
    reserve = heap.malloc(RESERVE)
    blocks = fill(heap)
    blocks.append(heap.malloc(SMALLEST))  # where all is filled, between the reserve and the end
    heap.free(reserve)
    return blocks


def fill_cache(heap: Any) -> None:
    """Have this thread's cache of small blocks hold as many of each size as it can."""
    for size in range(CACHED_STEP // 2, SMALLEST, CACHED_STEP):
        for block in [heap.malloc(size) for _ in range(CACHED)]:
            heap.free(block)


def fill(heap: Any) -> list[int]:
    """Allocate what is free within the heap, the largest pieces first; return the blocks.

    What fits into no hole is allocated at the end, and freed at once. No piece is as large as the
    end, which would make the heap grow.
    """
    info = heap.mallinfo2()
    end = heap.sbrk(0) - info.keepcost
    left = info.fordblks - info.keepcost
    size = min(left, info.keepcost // 2)
    blocks: list[int] = []
    while size >= SMALLEST and len(blocks) < MOST_BLOCKS:
        block = heap.malloc(size) if size <= left else None
        if block is None or block >= end:
            heap.free(block)
            size //= 2
        else:
            blocks.append(block)
            left -= size
    return blocks
