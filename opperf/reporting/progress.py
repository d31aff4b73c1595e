"""Progress on a stream.

Nothing here runs by itself: the parent must not wake while a sample is taken, so there is neither
a thread nor a timer, and something is drawn only when a task starts or ends.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from threading import RLock
from typing import TYPE_CHECKING

from tqdm import tqdm

from opperf.core.results.status import STATUSES
from opperf.reporting.estimate import Estimate, clock_text
from opperf.reporting.text import clean, columns, is_ascii, shorten, to_ascii, without_controls
from opperf.reporting.wording import status_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from types import TracebackType
    from typing import NoReturn, TextIO

    from typing_extensions import Self

    Base = tqdm[NoReturn]
else:
    Base = tqdm

DRAWS_A_SECOND = 2
LINES_EVERY = 30.0
"""Seconds between plain lines where there is no terminal."""
LABEL_WIDTH = 48


class Bar(Base):
    """A bar of tqdm's without its monitor thread and without its multiprocessing lock."""

    monitor_interval = 0


Bar.set_lock(RLock())


class Progress:
    """How far a run has come: a bar on a terminal, a line every 30 seconds elsewhere.

    Args:
        total: how many tasks there are.
        stream: where to; once it fails, as a closed pipe does, everything here is silent.
        clock: seconds from any origin.
        keys: the key of every task, in any order; one with the key of another is expected to take
            as long.
    """

    def __init__(
        self,
        total: int,
        stream: TextIO,
        clock: Callable[[], float] = time.monotonic,
        *,
        keys: Sequence[str] = (),
    ) -> None:
        self.total = total
        self.stream = stream
        self.clock = clock
        self.keyed = bool(keys)
        self.estimate = Estimate(keys or [""] * total)
        self.done = 0
        self.statuses: Counter[str] = Counter()
        self.label = self.key = ""
        self.began = clock()
        self.drawn: deque[float] = deque(maxlen=DRAWS_A_SECOND)
        self.silent = False
        self.ascii_only = is_ascii(stream)
        self.bar: Bar | None = None
        self.attempt(self.open)

    def open(self) -> None:
        """Make the bar where there is a terminal; it is not drawn yet."""
        if self.stream.isatty():
            self.bar = Bar(
                total=self.total,
                file=self.stream,
                leave=False,
                position=0,
                nrows=2,  # else tqdm asks a terminal that may answer 0, and hides the bar
                ascii=".#" if self.ascii_only else "░█",
                colour=None,
                delay=1e-9,
            )

    def start(self, label: str, key: str = "") -> None:
        """Say what is being measured from now on."""
        self.label = shorten(clean(label), LABEL_WIDTH, ascii_only=self.ascii_only)
        self.key = key if self.keyed else ""
        self.attempt(self.show)

    def finish(self, statuses: Iterable[str], seconds: float | None = None) -> None:
        """Count the results of the task that was started, and the seconds that it took."""
        self.done += 1
        self.statuses.update(statuses)
        self.estimate.finish(self.key, seconds)
        self.label = ""

    def write(self, line: str) -> None:
        """Write a line above the bar."""
        self.attempt(lambda: self.write_above(line))

    def close(self) -> None:
        """Remove the bar, or write the last plain line."""
        self.label = ""
        self.attempt(self.end)

    def attempt(self, action: Callable[[], None]) -> None:
        """Do it unless the stream has failed before; nobody reads there any more."""
        if self.silent:
            return
        try:
            action()
        except (OSError, ValueError):
            self.silent = True
            if self.bar is not None:
                self.bar.disable = True

    def show(self) -> None:
        """Draw or write the state, unless that was done too short a time ago."""
        now = self.clock()
        if self.bar is not None:
            if len(self.drawn) < DRAWS_A_SECOND or now - self.drawn[0] >= 1:
                self.drawn.append(now)
                self.draw(self.bar)
        elif not self.drawn or now - self.drawn[-1] >= LINES_EVERY:
            self.drawn.append(now)
            self.print_line(self.text())

    def draw(self, bar: Bar) -> None:
        """Draw the bar as wide as the terminal is now, less the column where some would wrap."""
        width = max(columns(self.stream) - 1, 1)
        bar.ncols, bar.n = width, min(self.done, self.total)
        bar.bar_format = "{bar:20}  {desc}" if width >= 99 else "{bar:8}  {desc}"  # noqa: PLR2004
        bar.set_description_str(self.text(), refresh=False)
        bar.refresh()

    def text(self) -> str:
        """Return "78/96  ok 75  noisy 1  failed 1  3:12  ETA 0:44   pytorch Dot (4096,4096)"."""
        met = [status for status in STATUSES if self.statuses[status]]
        counts = [f"{status_words(status)} {self.statuses[status]}" for status in met]
        parts = [f"{self.done}/{self.total}", *counts, clock_text(self.clock() - self.began)]
        left = self.estimate.remaining()
        if left is not None and self.done < self.total:
            parts.append(f"ETA {clock_text(left)}")
        text = "  ".join(parts) + (f"   {self.label}" if self.label else "")
        return to_ascii(text) if self.ascii_only else text

    def write_above(self, line: str) -> None:
        """Clear the bar and write; the next task draws it again."""
        if self.bar is not None:
            self.bar.clear()
        harmless = without_controls(line)
        self.print_line(to_ascii(harmless) if self.ascii_only else harmless)

    def print_line(self, line: str) -> None:
        """Write a line now."""
        self.stream.write(line + "\n")
        self.stream.flush()

    def end(self) -> None:
        """Leave a terminal without the bar, and anything else with how it ended."""
        if self.bar is not None:
            self.bar.clear()
            self.bar.close()
            self.stream.flush()
        elif self.drawn:
            self.print_line(self.text())
        self.silent = True

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
