"""What the process holds of the C library's heap."""

from __future__ import annotations

import ctypes

import pytest

from opperf.core import heap
from opperf.core.heap import avoided, held_bytes

MIB, USUAL = 2**20, 128 * 2**10


@pytest.mark.skipif(held_bytes() is None, reason="this C library has no mallinfo2")
@pytest.mark.parametrize("nbytes", [MIB // 2, 40 * MIB], ids=["of the heap", "mapped"])
def test_what_is_allocated_and_freed_is_seen(nbytes: int) -> None:
    """The figure rises by what is allocated, however it is, and falls again by as much."""
    library = ctypes.CDLL(None)
    library.malloc.restype = ctypes.c_void_p
    before = held_bytes()
    assert before is not None
    address = library.malloc(ctypes.c_size_t(nbytes))
    held = held_bytes()
    library.free(ctypes.c_void_p(address))
    after = held_bytes()
    assert held is not None
    assert after is not None
    assert held - before == pytest.approx(nbytes, abs=nbytes / 20)
    assert after - before == pytest.approx(0, abs=nbytes / 20)


def test_another_c_library_cannot_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    """Musl and older versions of glibc lack the call: the figure is missing, not wrong."""
    monkeypatch.setattr(heap.ctypes, "CDLL", lambda _: object())
    heap.library.cache_clear()
    try:
        assert held_bytes() is None
    finally:
        heap.library.cache_clear()


def mapped() -> int:
    """Return how many blocks are mappings of their own."""
    return int(heap.library().mallinfo2().hblks)


@pytest.mark.skipif(held_bytes() is None, reason="this C library has no mallinfo2")
@pytest.mark.xfail(strict=False, reason="open: off after other tests in one process")
def test_larger_blocks_are_mapped_and_the_heap_is_as_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They are, whatever the heap has free, and only as long as the heap is to be avoided."""
    monkeypatch.setattr(heap, "threshold", lambda: 64 * MIB)
    library = heap.library()
    library.mallopt(heap.MMAP_THRESHOLD, 64 * MIB)
    try:
        holes = [library.malloc(MIB) for _ in range(20)]
        for hole in holes[::2]:
            library.free(hole)
        held, before = held_bytes(), mapped()
        assert held is not None
        with avoided():
            block = library.malloc(MIB // 2)
            assert mapped() == before + 1
            library.free(block)
            assert mapped() == before
        assert held_bytes() == pytest.approx(held, abs=MIB / 10)
        block = library.malloc(MIB // 2)
        assert mapped() == before
        for left in (block, *holes[1::2]):
            library.free(left)
    finally:
        library.mallopt(heap.MMAP_THRESHOLD, USUAL)


@pytest.mark.parametrize(
    ("tunables", "found"),
    [
        ("glibc.malloc.mmap_threshold=1073741824:glibc.malloc.arena_max=1", 2**30),
        ("glibc.malloc.arena_max=1", None),
        ("", None),
    ],
)
def test_the_threshold_is_known_where_it_is_set(
    monkeypatch: pytest.MonkeyPatch, tunables: str, found: int | None
) -> None:
    """Elsewhere the C library moves it as it goes, and nobody can tell where it stands."""
    monkeypatch.setenv("GLIBC_TUNABLES", tunables)
    assert heap.threshold() == found
    if found is None:
        with pytest.raises(OSError, match="not fixed"), avoided():
            pass
