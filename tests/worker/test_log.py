from __future__ import annotations

from opperf.worker.log import MOST, TAIL, Log, harmless


def test_what_a_terminal_would_obey_is_removed() -> None:
    """Escape sequences lose their escape, lines and tabs stay, and bytes become text."""
    data = b"\x1b]0;title\x07a\tb\r\n\x00\x7fc\xff \xc2\x9b31m \xe2\x82\xac\n"
    assert harmless(data) == "]0;titlea\tb\nc\ufffd 31m €"


def test_only_what_a_task_printed_is_shown() -> None:
    """From where the task began; a log without output is empty."""
    log = Log()
    assert log.tail() == ""
    log.file.write(b"before\n")
    log.file.flush()
    log.mark()
    assert log.content() == b""
    log.file.write(b"after\nthe end\n")
    log.file.flush()
    assert log.content() == b"after\nthe end\n"
    assert log.tail() == "after\nthe end"
    assert log.last_line() == "the end"
    log.file.close()


def test_of_much_output_the_end_is_kept() -> None:
    """A megabyte for the log's file and four kilobytes for the record."""
    log = Log()
    log.file.write(b"x" * (2 * MOST) + b"the end")
    log.file.flush()
    assert len(log.content()) == MOST
    assert len(log.tail()) == TAIL
    assert log.tail().endswith("the end")
    assert len(log.last_line()) < TAIL
    log.file.close()


def test_the_end_of_a_record_s_text_is_measured_in_bytes() -> None:
    """Letters beyond ASCII do not make it longer than promised."""
    log = Log()
    log.file.write("é".encode() * TAIL)
    log.file.flush()
    assert len(log.tail().encode()) <= TAIL
    log.file.close()
