"""Profiling windows in a method's process: a thread that starts and stops the profilers in time.

It needs the standard library, and whatever framework the method has imported.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from functools import partial
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

from opperf.core.errors import error_text
from opperf.methods.tracers import TRACERS, has_events, imported

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path
    from types import ModuleType

    from opperf.methods.tracers import Tracer
    from opperf.methods.windows import ProfileWindow

PROFILER_DATA = "profiler_data"
"""The folder of the traces, in that of the method."""
POLL = 0.02
"""Seconds between two looks whether a framework has been imported."""
LONGEST_WAIT = 3600.0
LATE = 0.1
"""Seconds by which a window may begin late without a word."""
Trace = dict[str, Any]


@dataclass
class WindowProfiler:
    """Lets the profilers of the frameworks record in some windows, from `start` on.

    Args:
        windows: in their order, none of which overlap.
        folder: where the traces go.
        take: called with what is known of each trace, after each window.
    """

    windows: Sequence[ProfileWindow]
    folder: Path
    take: Callable[[list[Trace]], None]
    traces: list[Trace] = field(default_factory=list)
    tracers: dict[str, Tracer] = field(default_factory=dict)
    broken: set[str] = field(default_factory=set)
    ended: Event = field(default_factory=Event)
    ready: Event = field(default_factory=Event)

    def start(self) -> None:
        """Begin; frameworks that are there make ready first, a window from 0 on is then open."""
        self.folder.mkdir(exist_ok=True)
        self.prepare()
        self.zero = time.perf_counter()
        self.thread = Thread(target=self.run, name="opperf-profiler", daemon=True)
        self.thread.start()
        if self.tracers and self.windows[0].begin == 0:
            self.ready.wait()

    def finish(self) -> None:
        """End the window that is open, and write what is not written yet."""
        self.ended.set()
        self.thread.join()
        for name, tracer in self.tracers.items():
            self.attempt(name, None, tracer.close)
        for trace in self.traces:
            path = self.folder / (trace["file"] or "")
            if trace["file"] and not has_events(path):
                path.unlink(missing_ok=True)
                trace |= {"file": None, "reason": "none of its operators ran in this window"}
        self.take(self.traces)

    def run(self) -> None:
        """Go through the windows."""
        for window in self.windows:
            if self.wait_until(window.begin):
                self.record(window)
            else:
                self.note(None, window, "the method ended before it")
        self.ready.set()

    def record(self, window: ProfileWindow) -> None:
        """Let all tracers record for a window, those included whose framework comes late."""
        recording: dict[str, float] = {}
        self.wait_until(window.end, recording, window)
        for name, began in recording.items():
            late = began - window.begin
            reason = f"it began {late:.1f} s late" if late > LATE else None
            path = self.folder / f"{name}.{time.time_ns() // 1_000_000}.pt.trace.json"
            stop = partial(self.tracers[name].stop, path, last=self.ended.is_set())
            if self.attempt(name, window, stop):
                self.add(name, window, path.name, reason)
        if not recording:
            self.note(None, window, "no framework with a profiler had been imported")
        self.take(self.traces)

    def wait_until(
        self,
        second: float,
        recording: dict[str, float] | None = None,
        window: ProfileWindow | None = None,
    ) -> bool:
        """Wait until a second after the start, or the method's end; return whether it has come.

        Args:
            second: since the start.
            recording: gets the frameworks that record, and since when, where a window is open.
            window: that window.
        """
        while not self.ended.is_set():
            self.prepare()
            for name, tracer in self.tracers.items():
                if recording is not None and name not in recording and name not in self.broken:
                    if self.attempt(name, window, tracer.start):
                        recording[name] = self.elapsed
                    else:
                        self.broken.add(name)
            if recording is not None:
                self.ready.set()
            rest = second - self.elapsed
            if rest <= 0:
                return True
            waiting = len(self.tracers) + len(self.broken) < len(TRACERS)
            self.ended.wait(min(rest, POLL if waiting else LONGEST_WAIT))
        return False

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        return time.perf_counter() - self.zero

    def prepare(self) -> None:
        """Make the profilers ready of what has been imported meanwhile."""
        for name, kind in TRACERS.items():
            if name in self.tracers or name in self.broken:
                continue
            module = imported(kind.module)
            if module and not self.attempt(name, None, partial(self.make, name, kind, module)):
                self.broken.add(name)

    def make(self, name: str, kind: type[Tracer], module: ModuleType) -> None:
        """Make a framework's profiler ready."""
        self.tracers[name] = kind(module, self.folder)

    def attempt(self, name: str, window: ProfileWindow | None, step: Callable[[], None]) -> bool:
        """Return whether a step works; a profiler that fails is no reason for the method to."""
        try:
            step()
        except Exception as error:  # noqa: BLE001 - whatever a framework's profiler raises
            self.note(name, window, error_text(error))
            return False
        return True

    def note(self, name: str | None, window: ProfileWindow | None, reason: str) -> None:
        """Keep why there is no trace."""
        self.add(name, window, None, reason)

    def add(
        self, name: str | None, window: ProfileWindow | None, file: str | None, reason: str | None
    ) -> None:
        """Keep what is known of a trace."""
        shown = None if window is None else str(window)
        self.traces.append({"window": shown, "framework": name, "file": file, "reason": reason})
