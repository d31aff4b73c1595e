"""Where a process's memory lies: at the same addresses each time it starts, where the system lets.

By default Linux starts every process at other addresses. Then what two processes run differs in how
code and data fall together in the caches and in the tables of the branch predictor: a short call
takes a few per cent more or less for the life of the process (docs/method.md, "Between processes").
"""

from __future__ import annotations

import ctypes
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ADDR_NO_RANDOMIZE = 0x0040000
"""The bit of personality(2) that keeps a process's addresses from being random."""
ASK = 0xFFFFFFFF


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
