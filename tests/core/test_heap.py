"""What the process holds of the C library's heap."""

from __future__ import annotations

import ctypes

import pytest

from opperf.core import heap
from opperf.core.heap import held_bytes

MIB = 2**20


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
