"""Where a process's memory lies: at the same addresses each time it starts, where the system lets.

By default Linux starts every process at other addresses. Then what two processes run differs in how
code and data fall together in the caches and in the tables of the branch predictor: a short call
takes a few per cent more or less for the life of the process (docs/lab/method.md, "Between
processes").
"""

from __future__ import annotations

import ctypes
import mmap
import os
from contextlib import contextmanager, suppress
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ADDR_NO_RANDOMIZE = 0x0040000
"""The bit of personality(2) that keeps a process's addresses from being random."""
ASK = 0xFFFFFFFF
SHIFT, PADDING = "OPPERF_SHIFT", "OPPERF_PADDING"
"""The variables that shift what lies where: by their value, and by their length."""
MOST_PAGES, MOST_LINES, LINE, MOST_PADDING = 512, 4096, 64, 4096
kept: list[object] = []
"""What shifts the rest is held for the life of the process."""


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


def layout_of(number: int) -> dict[str, str]:
    """Return the variables that give a process the layout of this number.

    Where things lie is chance, and fixed addresses are one draw of it: another number is another
    draw. It moves the libraries by pages, the heap by cache lines, the stack by the length of a
    variable, and changes the order of what Python hashes.
    """
    random = Random(number)  # noqa: S311 - no secret
    pages, lines = random.randrange(MOST_PAGES), random.randrange(MOST_LINES)
    return {
        SHIFT: f"{pages},{lines * LINE}",
        PADDING: "x" * random.randrange(MOST_PADDING),
        "PYTHONHASHSEED": str(number % 2**32),
    }


def shift_layout(environ: Mapping[str, str] = os.environ) -> None:
    """Move what this process loads and allocates from now on, as `layout_of` has it."""
    pages, _, nbytes = environ.get(SHIFT, "0,0").partition(",")
    with suppress(ValueError, OSError, AttributeError, TypeError):
        if int(pages) > 0:
            kept.append(mmap.mmap(-1, int(pages) * mmap.PAGESIZE))
        allocate = ctypes.CDLL(None).malloc
        allocate.restype, allocate.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
        kept.append(allocate(int(nbytes)))
