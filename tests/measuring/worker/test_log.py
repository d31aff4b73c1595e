"""What a child prints, kept aside."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

import pytest

from opperf.measuring.worker.log import END, HEAD, TAIL, OutputLog, harmless

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def log() -> Iterator[OutputLog]:
    """Return a log, closed with the test."""
    made = OutputLog()
    yield made
    made.close()


def test_what_a_terminal_would_obey_is_removed() -> None:
    """Escape sequences lose their escape, lines and tabs stay, and bytes become text."""
    data = b"\x1b]0;title\x07a\tb\r\n\x00\x7fc\xff \xc2\x9b31m \xe2\x82\xac\n"
    assert harmless(data) == "]0;titlea\tb\nc\ufffd 31m €"


def test_only_what_a_task_printed_is_shown(log: OutputLog) -> None:
    """From where the task began; a log without output is empty."""
    assert log.tail() == ""
    end = log.open()
    os.write(end, b"before\n")
    log.mark()
    assert log.content() == b""
    os.write(end, b"after\nthe end\n")
    assert log.content() == b"after\nthe end\n"
    assert log.tail() == "after\nthe end"
    assert log.last_line() == "the end"
    os.close(end)


def test_what_a_dead_child_printed_stays(log: OutputLog) -> None:
    """Until the next task begins, and beside what the next child prints."""
    first = log.open()
    os.write(first, b"one ")
    os.close(first)
    second = log.open()
    os.write(second, b"two")
    os.close(second)
    assert log.content() == b"one two"
    assert log.pipe is None, "nobody can write any more"


def test_of_much_output_the_beginning_and_the_end_are_kept(log: OutputLog) -> None:
    """In bounded memory, with how much is missing: a child may print for ever."""
    log.add(b"the beginning")
    for _ in range(200):
        log.add(b"x" * 2**16)
        assert len(log.head) + len(log.end) <= HEAD + 2 * END + 2**16
    log.add(b"the end")
    content = log.content()
    assert content.startswith(b"the beginning")
    assert content.endswith(b"the end")
    assert len(content) <= HEAD + END + 100
    printed = 200 * 2**16 + len(b"the beginningthe end")
    assert f"{printed - HEAD - END} bytes left out".encode() in content
    assert len(log.tail()) == TAIL
    assert len(log.last_line()) < TAIL


def test_a_reader_does_not_wait_for_a_child_that_prints_for_ever(log: OutputLog) -> None:
    """However fast it prints, a look at the log ends."""
    end = log.open()

    def flood() -> None:
        with os.fdopen(end, "wb", buffering=0) as file:
            for _ in range(2000):
                file.write(b"x" * 2**16)

    writer = threading.Thread(target=flood)
    writer.start()
    reads = 0
    while log.pipe is not None:
        log.read()
        reads += 1
    writer.join()
    assert reads > 1


def test_the_end_of_a_record_s_text_is_measured_in_bytes(log: OutputLog) -> None:
    """Letters beyond ASCII do not make it longer than promised."""
    log.add("é".encode() * TAIL)
    assert len(log.tail().encode()) <= TAIL
