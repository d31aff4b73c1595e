"""Counters of perf_event_open.

Most machines that run these tests, virtual ones, have no hardware counters. The kernel's own
counter of page faults is opened, read and closed in just the same way, and is exact.
"""

from __future__ import annotations

import errno
import mmap
import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from opperf.core.environment import perf_event
from opperf.core.environment.perf_event import AVAILABLE, Counters, Event, availability

if TYPE_CHECKING:
    from collections.abc import Callable

PAGE_FAULTS = Event(1, 2)
PAGES = 1000
LOOP = 100_000


def touch() -> None:
    """Write to the first byte of so many new pages."""
    block = mmap.mmap(-1, PAGES * mmap.PAGESIZE, flags=mmap.MAP_PRIVATE)
    block.madvise(mmap.MADV_NOHUGEPAGE)  # where the system gives those, a fault has many pages
    for page in range(PAGES):
        block[page * mmap.PAGESIZE] = 1


def counted(call: Callable[[], object], event: Event) -> int:
    """Return the events of a call; skip where the kernel does not let us count."""
    try:
        with Counters(event) as counting:
            before = counting.read()
            call()
            after = counting.read()
    except OSError as error:
        pytest.skip(perf_event.why_not(error))
    assert before is not None
    assert after is not None
    return after - before


def test_a_known_number_of_events_is_counted() -> None:
    """Each new page is one fault, and the harness adds next to none."""
    assert counted(touch, PAGE_FAULTS) == pytest.approx(PAGES, rel=0.05)
    assert counted(lambda: None, PAGE_FAULTS) < PAGES / 20


def test_every_thread_counts() -> None:
    """An engine that computes in a thread of its own, started before, is part of the process."""
    begin, done = threading.Event(), threading.Event()

    def work() -> None:
        begin.wait()
        touch()
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        found = counted(lambda: (begin.set(), done.wait()), PAGE_FAULTS)
    finally:
        begin.set()
        thread.join()
    assert found == pytest.approx(PAGES, rel=0.05)


def test_no_file_is_left_open() -> None:
    """Neither after counting nor where one of the counters could not be opened."""
    folder = Path("/proc/self/fd")
    before = len(list(folder.iterdir()))
    counted(touch, PAGE_FAULTS)
    with pytest.raises(OSError, match=os.strerror(errno.ENOENT)), Counters(Event(77777, 0)):
        pass
    assert len(list(folder.iterdir())) == before


def test_a_loop_of_instructions_grows_with_its_length() -> None:
    """Twice the loop is twice the instructions; user instructions of an idle call are few."""
    if availability() != AVAILABLE:
        pytest.skip(availability())
    short, long = (
        counted(lambda n=n: sum(range(n)), perf_event.INSTRUCTIONS) for n in (LOOP, 2 * LOOP)
    )
    assert short > LOOP
    assert long / short == pytest.approx(2, rel=0.05)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (errno.EACCES, "not permitted: kernel.perf_event_paranoid is 3, or a sandbox forbids it"),
        (errno.EPERM, "not permitted: kernel.perf_event_paranoid is 3, or a sandbox forbids it"),
        (errno.ENOENT, "this machine has no hardware counters, as is common for a virtual one"),
        (errno.ENOSYS, "this system does not offer perf_event_open"),
        (errno.EIO, os.strerror(errno.EIO)),
    ],
)
def test_why_there_is_no_count_is_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, code: int, words: str
) -> None:
    """A kernel that forbids it, or has nothing to count with, is named; nothing is raised."""

    def refuse(*_: object) -> int:
        raise OSError(code, os.strerror(code))

    level = tmp_path / "level"
    level.write_text("3\n")
    monkeypatch.setattr(perf_event, "open_counter", refuse)
    monkeypatch.setattr(perf_event, "PARANOID", level)
    assert availability() == words


def test_another_system_has_no_counters(monkeypatch: pytest.MonkeyPatch) -> None:
    """MacOS and Windows, and machines whose call's number is not known, say so in one line."""
    monkeypatch.setattr(perf_event.sys, "platform", "darwin")
    assert availability() == "this system does not offer perf_event_open"
    monkeypatch.undo()
    monkeypatch.setattr(perf_event.platform, "machine", lambda: "vax")
    assert availability() == "this system does not offer perf_event_open"


def test_a_counter_that_had_to_take_turns_is_no_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the processor had too few counters, the figure would be an estimate: there is none."""
    counting = Counters(files=[1, 2])
    monkeypatch.setattr(perf_event.os, "read", lambda *_: perf_event.READ.pack(5, 10, 10))
    assert counting.read() == 10
    monkeypatch.setattr(perf_event.os, "read", lambda *_: perf_event.READ.pack(5, 10, 9))
    assert counting.read() is None
