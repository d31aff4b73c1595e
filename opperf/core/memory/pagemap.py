"""The kernel's entries of this process's pages: which of them it shares with no other.

They are read without allocating, as far as Python allows: what is read is about memory itself.
"""

from __future__ import annotations

import mmap
import os
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array

    Region = tuple[int, int]

MAPS, PAGEMAP = "/proc/self/maps", "/proc/self/pagemap"
PRIVATE = re.compile(
    rb"^([0-9a-f]+)-([0-9a-f]+) rw.p [0-9a-f]+ 00:00 0 *(?:\[heap\]|\[anon[^\n]*)?$", re.MULTILINE
)
"""Mappings of memory that belongs to no file and is not the first thread's stack."""
MAPS_BYTES, GROWTH, ENTRY = 8 * 2**20, 2**35, 8
"""Room for the list of mappings, the bytes by which they may grow, and a page's entry in bytes."""
PRESENT, SHARED_OR_FILE, EXCLUSIVE = 1 << 63, 1 << 61, 1 << 56
"""Bits of an entry."""


def make_room() -> mmap.mmap:
    """Return memory for the kernel's entries that is not among the pages they are about."""
    with open(MAPS, "rb") as maps:  # noqa: PTH123 - as little as can be allocated
        mapped = sum(end - start for start, end in regions(maps.read()))
    # Shared, so not private; untouched, it takes nothing.
    return mmap.mmap(-1, MAPS_BYTES + (mapped + GROWTH) // mmap.PAGESIZE * ENTRY)


def read_entries(room: mmap.mmap) -> Sequence[Region]:
    """Read the entries of all private pages, region by region; return the regions."""
    found = regions(memoryview(room)[: read_whole(MAPS, memoryview(room)[:MAPS_BYTES])])
    pagemap, position = os.open(PAGEMAP, os.O_RDONLY), MAPS_BYTES
    try:
        for start, end in found:
            nbytes = (end - start) // mmap.PAGESIZE * ENTRY
            part = memoryview(room)[position : position + nbytes]
            if os.preadv(pagemap, [part], start // mmap.PAGESIZE * ENTRY) != nbytes:
                raise ValueError("more mappings than there is room for")
            position += nbytes
    finally:
        os.close(pagemap)
    return found


def read_whole(path: str, part: memoryview) -> int:
    """Read a file into memory, and return how many bytes it has."""
    fd, length = os.open(path, os.O_RDONLY), 0
    try:
        while count := os.readv(fd, [part[length:]]):
            length += count
    finally:
        os.close(fd)
    return length


def regions(maps: bytes | memoryview) -> list[Region]:
    """Return the first address of each private mapping, and the first one after it."""
    return [(int(match[1], 16), int(match[2], 16)) for match in PRIVATE.finditer(maps)]


def exclusive(room: mmap.mmap, regions: Sequence[Region]) -> Array:
    """Return the numbers of the pages in these regions that this process shares with nobody."""
    import numpy as np

    numbers, position = [], MAPS_BYTES
    mask, wanted = np.uint64(PRESENT | SHARED_OR_FILE | EXCLUSIVE), np.uint64(PRESENT | EXCLUSIVE)
    for start, end in regions:
        count = (end - start) // mmap.PAGESIZE
        entries = np.frombuffer(room, np.uint64, count, position)
        numbers.append(np.flatnonzero((entries & mask) == wanted) + start // mmap.PAGESIZE)
        position += count * ENTRY
    return np.concatenate(numbers)
