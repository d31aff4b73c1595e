"""What the process holds of the C library's heap, and where the next block comes to lie."""

from __future__ import annotations

import ctypes
import subprocess
import sys

import pytest

from opperf.core.memory import heap
from opperf.core.memory.heap import held_bytes, holes_filled, library, touch_heap
from opperf.measuring.worker.code_path import ROOT
from opperf.measuring.worker.variables import ALLOCATION

MIB = 2**20
told = pytest.mark.skipif(held_bytes() is None, reason="this C library has no mallinfo2")
IN_TURN = """
import ctypes, sys
from contextlib import nullcontext
from opperf.core.memory.heap import holes_filled, library

MIB = 2**20
heap = library()
blocks = [heap.malloc(MIB) for _ in range(20)]
for block in blocks[::2]:
    heap.free(block)  # ten holes of a size, none beside another
with holes_filled() if sys.argv[1] == "filled" else nullcontext():
    found = set()
    for _ in range(10):
        block = heap.malloc(MIB)
        found.add(block)
        heap.free(block)
print(len(found), found <= set(blocks))
"""


@told
@pytest.mark.parametrize("nbytes", [MIB // 2, 40 * MIB], ids=["of the heap", "mapped"])
def test_what_is_allocated_and_freed_is_seen(nbytes: int) -> None:
    """The figure rises by what is allocated, however it is, and falls again by as much."""
    libc = ctypes.CDLL(None)
    libc.malloc.restype = ctypes.c_void_p
    before = held_bytes()
    assert before is not None
    address = libc.malloc(ctypes.c_size_t(nbytes))
    held = held_bytes()
    libc.free(ctypes.c_void_p(address))
    after = held_bytes()
    assert held is not None
    assert after is not None
    assert held - before == pytest.approx(nbytes, abs=nbytes / 20)
    assert after - before == pytest.approx(0, abs=nbytes / 20)


@told
def test_what_lies_between_is_idle() -> None:
    """A hole below what is in use is idle: other blocks may fill it, and no output goes there."""
    found, size = library(), 96 * 2**10
    hole, above = found.malloc(size), found.malloc(size)
    before = heap.idle_bytes()
    found.free(hole)
    assert heap.idle_bytes() - before >= size
    found.free(above)


def test_another_c_library_cannot_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    """Musl and older versions of glibc lack the call: the figure is missing, and no hole filled."""
    monkeypatch.setattr(heap.ctypes, "CDLL", lambda _: object())
    library.cache_clear()
    try:
        assert (held_bytes(), heap.idle_bytes()) == (None, 0)
        with holes_filled():
            pass
    finally:
        library.cache_clear()


@told
@pytest.mark.parametrize(("way", "expected"), [("filled", "1 False"), ("as they are", "10 True")])
def test_blocks_that_follow_each_other_lie_where_the_last_one_was(way: str, expected: str) -> None:
    """At the heap's end; else they take one hole after the other, which is what this is against."""
    variables = {**ALLOCATION, "PYTHONPATH": ROOT}
    command = [sys.executable, "-c", IN_TURN, way]
    run = subprocess.run(command, env=variables, capture_output=True, check=True, text=True)
    assert run.stdout.strip() == expected


@told
def test_the_heap_is_as_it_was() -> None:
    """What was held is free again, and nothing else."""
    before = held_bytes()
    assert before is not None
    with holes_filled():
        pass
    after = held_bytes()
    assert after == pytest.approx(before, abs=MIB / 4)


TOUCH = """
from opperf.core.memory.heap import library, touch_heap

touch_heap(64 * 2**20)
print(library().mallinfo2().keepcost)
"""


@told
def test_a_heap_begins_with_memory_that_was_written() -> None:
    """So much lies at its end, free to be allocated."""
    variables = {**ALLOCATION, "PYTHONPATH": ROOT}
    command = [sys.executable, "-c", TOUCH]
    run = subprocess.run(command, env=variables, capture_output=True, check=True, text=True)
    assert int(run.stdout) >= 64 * 2**20


@told
@pytest.mark.parametrize(
    ("available", "wanted", "written"),
    [(None, MIB, 0), (2**60, 2**50, 0), (32 * MIB, 2**50, MIB), (2**60, MIB, MIB)],
    ids=["unknown", "more than a heap can have", "short", "plenty"],
)
def test_a_heap_that_may_not_grow_is_no_error(
    monkeypatch: pytest.MonkeyPatch, available: int | None, wanted: int, written: int
) -> None:
    """Where memory is short only a part of it is written, and nothing where it is refused."""
    sizes = [0]
    monkeypatch.setattr(heap, "available_memory", lambda: available)
    monkeypatch.setattr(heap.ctypes, "memset", lambda _block, _value, size: sizes.append(size))
    touch_heap(wanted)
    assert sum(sizes) == written
