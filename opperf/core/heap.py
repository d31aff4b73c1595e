"""How much of the C library's heap is in use."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

FIELDS = (
    "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks",
    "keepcost",
)  # fmt: skip


class MallInfo(ctypes.Structure):
    """What mallinfo2(3) returns: bytes and counts of all arenas together."""

    _fields_ = [(name, ctypes.c_size_t) for name in FIELDS]


@cache
def library() -> Any:
    """Return the C library, None where it does not tell what is in use, as glibc 2.33 does."""
    try:
        found = ctypes.CDLL(None)
        found.mallinfo2.restype = MallInfo
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
