"""The C library's heap: how much of it is in use, and how to do without."""

from __future__ import annotations

import ctypes
import mmap
import os
import re
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opperf.core.span import Span

FIELDS = (
    "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks",
    "keepcost",
)  # fmt: skip
LARGE, SLACK = 64 * 2**10, 32 * 2**10
"""Bytes from which a block is made a mapping, and what is left of the heap for smaller ones."""
MOST_BLOCKS, WORTHWHILE = 4096, 2**20
DONT_FORK, DO_FORK = 10, 11
"""What madvise(2) calls it to keep pages from a forked process, and to hand them on again."""
MMAP_THRESHOLD = -3
"""What mallopt(3) calls the bytes from which a block is a mapping of its own."""


class MallInfo(ctypes.Structure):
    """What mallinfo2(3) returns: bytes and counts of all arenas together."""

    _fields_ = [(name, ctypes.c_size_t) for name in FIELDS]


@cache
def library() -> Any:
    """Return the C library with its heap's calls, None where they are not those of glibc 2.33."""
    try:
        found = ctypes.CDLL(None)
        found.mallinfo2.restype = MallInfo
        found.malloc.restype = ctypes.c_void_p
        found.malloc.argtypes = [ctypes.c_size_t]
        found.free.argtypes = [ctypes.c_void_p]
        found.madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
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


def threshold() -> int | None:
    """Return the bytes from which a block is a mapping of its own, None where that is not fixed."""
    found = re.search(r"glibc\.malloc\.mmap_threshold=(\d+)", os.environ.get("GLIBC_TUNABLES", ""))
    return int(found[1]) if found else None


@contextmanager
def avoided() -> Iterator[list[Span]]:
    """Have every larger block be a mapping of its own, that is gone as soon as it is freed.

    Else a block lies wherever one was freed before, and stays with the process. Yields where the
    heap's free memory lies meanwhile; a forked process does not inherit it, which takes less time.

    Raises:
        OSError: the heap's settings could not be restored.
    """
    usual, heap = threshold(), library()
    if usual is None or heap is None or not heap.mallopt(MMAP_THRESHOLD, usual):
        raise OSError("the heap's settings are not fixed")
    blocks = fill()
    heap.mallopt(MMAP_THRESHOLD, LARGE)
    idle = [pages_within(*block) for block in blocks if block and block[1] >= WORTHWHILE]
    try:
        advise(idle, DONT_FORK)
        yield idle
    finally:
        advise(idle, DO_FORK)
        heap.mallopt(MMAP_THRESHOLD, usual)
        for block in blocks:
            heap.free(block and block[0])


def pages_within(start: int, nbytes: int) -> Span:
    """Return the part of a block that is made of whole pages."""
    first = -(-start // mmap.PAGESIZE) * mmap.PAGESIZE
    last = (start + nbytes) // mmap.PAGESIZE * mmap.PAGESIZE
    return first, last - first


def advise(spans: Sequence[Span], advice: int) -> None:
    """Tell the kernel what to do with these pages when the process forks."""
    for start, nbytes in spans:
        library().madvise(start, nbytes, advice)


def fill() -> list[Span | None]:
    """Allocate what is free on the heap, but for small blocks; return the blocks.

    Raises:
        OSError: there is too little memory to find out where the heap ends.
    """
    heap = library()
    end = heap.malloc(holes(heap) + LARGE)  # fits into no hole
    if end is None:
        raise OSError("the heap cannot grow")
    heap.free(end)
    # The list is made beforehand: else it would itself be allocated where the heap ends.
    blocks: list[Span | None] = [None] * MOST_BLOCKS
    left = size = holes(heap)
    count = 0
    while size >= SLACK and count < MOST_BLOCKS - 1:
        block = heap.malloc(size) if size <= left else None
        if block is None or block == end:
            heap.free(block)
            size //= 2
        else:
            blocks[count], count, left = (block, size), count + 1, left - size
    size = max(heap.mallinfo2().keepcost - SLACK, 1)
    blocks[count] = heap.malloc(size), size
    return blocks


def holes(heap: Any) -> int:
    """Return the bytes that are free on the heap, but for its end."""
    info = heap.mallinfo2()
    return int(info.fordblks - info.keepcost)
