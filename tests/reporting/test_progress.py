"""Progress on a stream."""

from __future__ import annotations

import io
import os
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from opperf.reporting.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass
class Clock:
    """A clock that a test sets."""

    now: float = 1000.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        """Return that it is."""
        return True


class Broken(Terminal):
    """A stream nobody reads any more."""

    error: Exception = BrokenPipeError()

    def write(self, _text: str) -> int:
        """Fail."""
        raise self.error


@pytest.fixture
def clock() -> Clock:
    """Return a clock that stands still."""
    return Clock()


@pytest.fixture(autouse=True)
def _hundred_columns(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make every terminal 100 columns wide, and see that no thread is left behind."""
    monkeypatch.setenv("COLUMNS", "100")
    threads = threading.active_count()
    yield
    assert threading.active_count() == threads


def drawings(stream: io.StringIO) -> list[str]:
    """Return every drawing of the bar."""
    return [text.strip() for text in stream.getvalue().split("\r") if text.strip()]


def run_one(progress: Progress, clock: Clock, key: str, seconds: float, status: str = "ok") -> None:
    """Start and finish a task."""
    progress.start(f"pytorch {key}", key)
    clock.now += seconds
    progress.finish([status], seconds)


def test_the_bar_says_how_far_how_long_and_what(clock: Clock) -> None:
    """Counts by status, elapsed time, the time left and what is being measured."""
    stream = Terminal()
    progress = Progress(4, stream, clock, keys=["Add", "Add", "Dot", "Dot"])
    run_one(progress, clock, "Add", 2.0)
    run_one(progress, clock, "Dot", 42.0, "noisy")
    progress.start("pytorch Dot (4096,4096)", "Dot")
    assert drawings(stream) == [
        "░░░░░░░░░░░░░░░░░░░░  0/4  0:00   pytorch Add",
        "█████░░░░░░░░░░░░░░░  1/4  ok 1  0:02  ETA 0:06   pytorch Dot",
        "██████████░░░░░░░░░░  2/4  ok 1  noisy 1  0:44  ETA 0:44   pytorch Dot (4096,4096)",
    ]


def test_it_draws_at_most_twice_a_second(clock: Clock) -> None:
    """However many tasks end; and never between tasks."""
    stream = Terminal()
    progress = Progress(100, stream, clock)
    for _ in range(100):
        run_one(progress, clock, "Add", 0.0625)
    assert len(drawings(stream)) == 14


def test_a_line_stands_above_the_bar(clock: Clock) -> None:
    """The bar is cleared for it, and drawn again by the next task."""
    stream = Terminal()
    progress = Progress(2, stream, clock)
    run_one(progress, clock, "Add", 1.0)
    progress.write("done   with \x1b[31mAdd")
    progress.start("next")
    text = drawings(stream)
    assert text[1].startswith("done   with [31mAdd")
    assert text[2].startswith("██████████░░░░░░░░░░  1/2")


def test_closing_removes_the_bar(clock: Clock) -> None:
    """What follows on the terminal starts on an empty line, and nothing is written afterwards."""
    stream = Terminal()
    with Progress(1, stream, clock) as progress:
        run_one(progress, clock, "Add", 1.0)
    last = stream.getvalue()
    assert last.rstrip("\r").endswith("  ")
    progress.start("late")
    progress.write("later")
    progress.close()
    assert stream.getvalue() == last


@pytest.mark.parametrize("width", [1, 20, 40, 80, 120])
def test_the_bar_stays_in_one_line(
    clock: Clock, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line that wraps could not be drawn over."""
    monkeypatch.setenv("COLUMNS", str(width))
    stream = Terminal()
    progress = Progress(1, stream, clock)
    progress.start("x" * 10_000 + "\n\x1b[2J")
    assert max(map(len, stream.getvalue().split("\r"))) <= max(width - 1, 1)
    assert "\n" not in stream.getvalue()
    assert "\x1b" not in stream.getvalue()


def test_without_a_terminal_there_are_plain_lines(clock: Clock) -> None:
    """The first, at most one every 30 seconds, and the last."""
    stream = io.StringIO()
    with Progress(10, stream, clock) as progress:
        for _ in range(10):
            run_one(progress, clock, "Add", 12.0)
        progress.write("a line")
    assert stream.getvalue().splitlines() == [
        "0/10  0:00   pytorch Add",
        "3/10  ok 3  0:36  ETA 1:24   pytorch Add",
        "6/10  ok 6  1:12  ETA 0:48   pytorch Add",
        "9/10  ok 9  1:48  ETA 0:12   pytorch Add",
        "a line",
        "10/10  ok 10  2:00",
    ]


@pytest.mark.parametrize(
    "error", [BrokenPipeError(), OSError(5, "I/O"), ValueError("I/O operation on closed file")]
)
def test_a_stream_that_fails_is_left_alone(
    clock: Clock, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run goes on."""
    monkeypatch.setattr(Broken, "error", error)
    with Progress(1, Broken(), clock) as progress:
        run_one(progress, clock, "Add", 1.0)
        progress.write("a line")
    assert progress.silent


def test_a_closed_stream_is_left_alone(clock: Clock) -> None:
    """Even asking it whether it is a terminal fails."""
    stream = io.StringIO()
    stream.close()
    with Progress(1, stream, clock) as progress:
        run_one(progress, clock, "Add", 1.0)
    assert progress.silent


def test_a_closed_pipe_is_left_alone(clock: Clock) -> None:
    """As in ``opperf run 2>&1 | head -1``."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w", buffering=1) as stream, Progress(1, stream, clock) as progress:
        run_one(progress, clock, "Add", 1.0)
        assert progress.silent
        with pytest.raises(BrokenPipeError):
            stream.flush()
        os.dup2(os.open(os.devnull, os.O_WRONLY), writing)


def test_under_lang_c_it_is_ascii(clock: Clock) -> None:
    """The bar, the ellipsis and the names."""
    buffer = io.BytesIO()
    stream = io.TextIOWrapper(buffer, encoding="ascii")
    stream.isatty = lambda: True  # type: ignore[method-assign]
    with Progress(2, stream, clock) as progress:
        run_one(progress, clock, "Größe", 1.0)
        progress.write("± done")
        progress.start("y" * 60)
    text = buffer.getvalue()
    assert b"....................  0/2  0:00   pytorch Gr??e" in text
    assert b"? done\n" in text
    assert b"##########..........  1/2  ok 1" in text
    assert b"yyy..." in text


def test_no_color_from_anywhere(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even where tqdm is asked for one."""
    monkeypatch.setenv("TQDM_COLOUR", "red")
    stream = Terminal()
    Progress(1, stream, clock).start("Add")
    assert "\x1b" not in stream.getvalue()


def test_no_tasks_at_all(clock: Clock) -> None:
    """Nothing is drawn, nothing fails."""
    for stream in (Terminal(), io.StringIO()):
        with Progress(0, stream, clock):
            pass
        assert stream.getvalue().strip() == ""
