"""The pages that a call writes."""

from __future__ import annotations

import ctypes
import mmap
import os
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import numpy as np
import psutil
import pytest

from opperf.core.memory import pages
from opperf.core.memory.pagemap import regions
from opperf.core.memory.pages import LEAST_RUN, Pages, trace_writes, watch
from opperf.measuring.worker.code_path import ROOT
from opperf.measuring.worker.variables import MEMORY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from opperf.core.tensors.tensor import Array

MIB = 2**20
PAGE = mmap.PAGESIZE
PATIENCE = 120.0
NOISE = 4 * LEAST_RUN
"""The test's own process writes here and there as well."""


MAPS = b"""\
55e0-55f0 r-xp 00001000 08:01 1234                       /usr/bin/python3
5600-5700 rw-p 00000000 00:00 0                          [heap]
7000-8000 rw-p 00000000 00:00 0
8000-8100 rw-s 00000000 00:01 99                         /dev/zero (deleted)
8100-8200 rw-p 00003000 08:01 1234                       /usr/lib/libc.so
8200-8300 ---p 00000000 00:00 0
8300-8400 rw-p 00000000 00:00 0                          [anon:arena]
ff00-ffff rw-p 00000000 00:00 0                          [stack]
"""


@pytest.fixture
def _told() -> None:
    """Skip where the machine does not tell."""
    try:
        trace_writes(lambda: None)
    except (OSError, AttributeError) as error:
        pytest.skip(f"this machine does not tell which pages are written: {error}")


told = pytest.mark.usefixtures("_told")


@pytest.fixture
def block() -> Array:
    """Return 4 MiB that lie in memory of their own and were written before."""
    return np.frombuffer(mmap.mmap(-1, 4 * MIB, flags=mmap.MAP_PRIVATE), np.uint8)


@pytest.fixture(autouse=True)
def _nobody_is_left() -> Iterator[None]:
    """Fail a test that leaves the process behind that shared the pages."""
    before = psutil.Process().children()
    yield
    left = [child for child in psutil.Process().children() if child not in before]
    assert psutil.wait_procs(left, PATIENCE)[1] == []


@told
def test_memory_that_is_kept_counts_each_time_it_is_written(block: Array) -> None:
    """Scratch that a framework allocated long ago is no less taken by a call that writes it."""
    for _ in range(2):
        _, found = trace_writes(lambda: block.fill(1))
        assert found.beside([]) == pytest.approx(4 * MIB, abs=NOISE)


@told
def test_reading_takes_nothing(block: Array) -> None:
    """Inputs are not among what is written."""
    block.fill(1)
    total, found = trace_writes(block.sum)
    assert total == 4 * MIB
    assert found.beside([]) <= NOISE


@told
def test_memory_that_is_allocated_counts_as_far_as_it_is_written() -> None:
    """It is seen whoever allocated it, and told apart by where it lies."""

    def call() -> tuple[Array, Array]:
        return np.ones(2 * MIB, np.uint8), np.ones(3 * MIB, np.uint8)

    (first, second), found = trace_writes(call)
    assert found.beside([]) == pytest.approx(5 * MIB, abs=NOISE)
    spans = [(array.ctypes.data, array.nbytes) for array in (first, second)]
    assert found.beside(spans[:1]) == pytest.approx(3 * MIB, abs=NOISE)
    assert found.beside(spans) <= NOISE


@told
@pytest.mark.parametrize("kept", [1, 2])
def test_what_is_freed_within_the_call_was_taken(kept: int) -> None:
    """It counts as far as it was there at the same time, and not each time anew."""

    def call() -> None:
        blocks: list[mmap.mmap] = []
        for _ in range(6):
            block = mmap.mmap(-1, 8 * MIB, flags=mmap.MAP_PRIVATE)
            np.frombuffer(block, np.uint8)[:] = 1
            blocks = [*blocks, block][-kept:]

    _, found = trace_writes(call)
    # The next block is written while those before it are still there.
    assert found.beside([]) == pytest.approx((kept + 1) * 8 * MIB, abs=MIB)


@told
def test_other_threads_count(block: Array) -> None:
    """An engine that computes behind the caller writes on behalf of the call."""

    def call() -> None:
        worker = threading.Thread(target=block.fill, args=(1,))
        worker.start()
        worker.join()

    assert trace_writes(call)[1].beside([]) == pytest.approx(4 * MIB, abs=NOISE)


@told
def test_a_huge_page_counts_no_more_than_was_written() -> None:
    """NumPy asks for huge pages, whose first touch would write two megabytes."""

    def call() -> Array:
        array = np.empty(32 * MIB, np.uint8)
        array[: MIB // 2] = 1
        return array

    _, found = trace_writes(call)
    assert found.beside([]) == pytest.approx(MIB / 2, abs=NOISE)


@told
def test_huge_pages_are_as_they_were() -> None:
    """Whether the process may have them is not changed for good."""
    prctl = ctypes.CDLL(None).prctl
    before = prctl(pages.GET_THP_DISABLE, 0, 0, 0, 0)
    trace_writes(lambda: None)
    assert prctl(pages.GET_THP_DISABLE, 0, 0, 0, 0) == before


@told
def test_an_error_within_the_call_is_the_caller_s(block: Array) -> None:
    """It goes through, and the next call is watched as ever."""
    with pytest.raises(ZeroDivisionError):
        trace_writes(lambda: 1 / 0)
    assert trace_writes(lambda: block.fill(2))[1].beside([]) == pytest.approx(4 * MIB, abs=NOISE)


def see_all_ended() -> None:
    """Wait until each process has ended, and leave it to be waited for."""
    for child in pages.ENDING:
        os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)


@told
def test_a_process_that_has_ended_is_waited_for_before_the_next_one() -> None:
    """It ends by itself while others measure, in its own time."""
    for _ in range(5):
        see_all_ended()
        trace_writes(lambda: None)
        assert len(pages.ENDING) == 1
    see_all_ended()
    pages.reap()
    assert pages.ENDING == []


def test_a_process_that_somebody_else_has_waited_for_is_no_error() -> None:
    """A program around opperf may wait for any child there is."""
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    pages.ENDING.append(child.pid)
    pages.reap()
    assert child.pid not in pages.ENDING


def test_a_call_s_own_notes_do_not_count() -> None:
    """Pieces below the least run are left out, whether they stand alone or a span cut them off."""
    run = LEAST_RUN // PAGE
    numbers = np.asarray([*range(100, 100 + run), *range(500, 500 + run - 1), 9000])
    found = Pages(numbers)
    assert found.beside([]) == LEAST_RUN
    assert found.beside([(100 * PAGE + 5, 1)]) == 0
    assert (
        Pages(np.arange(1000, 1000 + 3 * run)).beside([(1000 * PAGE, 2 * LEAST_RUN)]) == LEAST_RUN
    )
    assert Pages(np.asarray([], np.int64)).beside([]) == 0


def test_only_private_memory_of_no_file_is_looked_at() -> None:
    """Code, a library's variables, shared memory, guards and the first stack are not."""
    assert regions(MAPS) == [(0x5600, 0x5700), (0x7000, 0x8000), (0x8300, 0x8400)]


ASK = """
from opperf.core.memory import pages
print(pages.watch(lambda: 7)[0], pages.is_told())
"""


@told
def test_the_child_of_the_memory_pass_can_tell() -> None:
    """With the heap's settings that it has, what is written and freed again is seen."""
    variables = {"PATH": os.environ["PATH"], "PYTHONPATH": ROOT, **MEMORY}
    command = [sys.executable, "-c", ASK]
    found = subprocess.run(command, env=variables, capture_output=True, check=True, text=True)
    assert found.stdout.split() == ["7", "True"]


def test_a_process_that_cannot_fork_now_makes_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory may be short just then: the figure is missing, and nothing else is."""

    def refuse() -> None:
        raise OSError(12, "Cannot allocate memory")

    monkeypatch.setattr(pages, "is_told", lambda: True)
    monkeypatch.setattr(pages, "sharing", refuse)
    assert watch(lambda: 7) == (7, None)


def test_where_it_cannot_be_told_the_call_is_made_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A C library that cannot fork silently, or a kernel that hides its pages, is no error."""

    def refuse(_: object) -> None:
        raise AttributeError

    monkeypatch.setattr(pages, "trace_writes", refuse)
    pages.is_told.cache_clear()
    try:
        assert watch(lambda: 7) == (7, None)
    finally:
        pages.is_told.cache_clear()
