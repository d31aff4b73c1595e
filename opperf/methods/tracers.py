"""The profilers of PyTorch and MXNet, each as a window in time starts and stops it.

Both write traces of Chrome's format, by names that TensorBoard's plug-in for PyTorch knows. They
are used in the process of a method, from a thread beside it.
"""

from __future__ import annotations

import json
import os
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path
    from types import ModuleType

MICRO = 1e6
LARGE = 2**20
"""Bytes of a trace above which it has events."""


def imported(name: str) -> ModuleType | None:
    """Return a module that has been imported, and not only begun to be."""
    found = sys.modules.get(name)
    beginning = getattr(getattr(found, "__spec__", None), "_initializing", False)
    return None if beginning else found


def has_events(path: Path) -> bool:
    """Return whether a trace has anything that a framework did."""
    if path.stat().st_size > LARGE:
        return True
    events = json.loads(path.read_bytes())["traceEvents"]
    return any(event.get("cat") not in {None, "Trace"} for event in events)


class Tracer:
    """A framework's profiler. Making one prepares it, which may take seconds.

    Args:
        framework: its module.
        folder: where its files go.
    """

    module: ClassVar[str]

    def __init__(self, framework: Any, folder: Path) -> None:
        self.framework = framework
        self.folder = folder

    def start(self) -> None:
        """Begin to record."""
        raise NotImplementedError

    def stop(self, path: Path, *, last: bool) -> None:
        """End, and have the trace written to a file, at `close` at the latest.

        Args:
            path: the file.
            last: whether the method has ended: what is still queued counts.
        """
        raise NotImplementedError

    def close(self) -> None:
        """Write what has been left."""


class TorchTracer(Tracer):
    """torch.profiler, on all threads. Its first start takes 2 s: it is made once before."""

    module = "torch"

    def __init__(self, framework: Any, folder: Path) -> None:
        super().__init__(framework, folder)
        try:
            self.running = self.make()
        except TypeError:
            why = "this PyTorch profiles its own thread only; a window needs 2.7 or newer"
            raise RuntimeError(why) from None
        self.running.start()
        self.running.stop()

    def make(self) -> Any:
        """Return a profiler that has not begun."""
        configure: Any = self.framework._C._profiler._ExperimentalConfig  # noqa: SLF001
        configuration = configure(profile_all_threads=True)
        return self.framework.profiler.profile(experimental_config=configuration)

    def start(self) -> None:
        """Begin to record."""
        self.running = self.make()
        self.running.start()

    def stop(self, path: Path, *, last: bool) -> None:  # noqa: ARG002 - as the protocol has it
        """End, and write the trace."""
        self.running.stop()
        partial = path.with_name(f"part-{path.name}.part")
        self.running.export_chrome_trace(str(partial))
        partial.replace(path)


class MXNetTracer(Tracer):
    """MXNet's profiler: it writes one file, once, of which each window gets its part."""

    module = "mxnet"

    def __init__(self, framework: Any, folder: Path) -> None:
        super().__init__(framework, folder)
        self.whole = folder / f".mxnet-{os.getpid()}.json"
        self.windows: list[tuple[float, float, Path]] = []
        # The calls of the interface are left out: it aborts where it starts amid one.
        framework.profiler.set_config(
            profile_symbolic=True, profile_imperative=True, profile_memory=False,
            profile_api=False, aggregate_stats=False, filename=str(self.whole),
        )  # fmt: skip

    def start(self) -> None:
        """Begin to record."""
        self.began = time.time()
        self.framework.profiler.set_state("run")

    def stop(self, path: Path, *, last: bool) -> None:
        """End; the trace is written at `close`."""
        if last:
            self.framework.nd.waitall()
        self.framework.profiler.set_state("stop")
        self.windows.append((self.began, time.time(), path))

    def close(self) -> None:
        """Write the windows' traces."""
        if not self.windows:
            return
        self.framework.profiler.dump(finished=True)
        events = json.loads(self.whole.read_text(encoding="utf-8"))["traceEvents"]
        with suppress(OSError):
            self.whole.unlink()
        done = [*complete_events(events)]
        for begin, end, path in self.windows:
            own = [event for event in done if begin * MICRO <= event["ts"] < end * MICRO]
            trace = {
                "schemaVersion": 1,
                "displayTimeUnit": "ms",
                "traceName": path.name,
                "traceEvents": [named_process(), *own],
            }
            partial = path.with_name(f"{path.name}.part")
            partial.write_text(json.dumps(trace), encoding="utf-8")
            partial.replace(path)


def named_process() -> dict[str, Any]:
    """Return the event that gives the process its name."""
    return {
        "ph": "M", "name": "process_name", "ts": 0, "pid": os.getpid(), "tid": 0,
        "args": {"name": "mxnet"},
    }  # fmt: skip


def complete_events(events: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield an event with a duration for each begin and end of MXNet's.

    Each stands there twice more, as "b" and "e"; threads have hashes of 64 bits for numbers, which
    no reader of JSON holds exactly.
    """
    begun: dict[tuple[Any, Any, Any], list[Any]] = {}
    threads: dict[Any, int] = {}
    for event in events:
        place = (event.get("pid"), event.get("tid"), event.get("name"))
        if event["ph"] == "B":
            begun.setdefault(place, []).append(event["ts"])
        elif event["ph"] == "E" and begun.get(place):
            start = begun[place].pop()
            yield {
                "ph": "X", "cat": "cpu_op", "name": event["name"], "pid": os.getpid(),
                "tid": threads.setdefault(event["tid"], len(threads) + 1),
                "ts": start, "dur": event["ts"] - start, "args": {"device": event["pid"]},
            }  # fmt: skip


TRACERS: dict[str, type[Tracer]] = {"pytorch": TorchTracer, "mxnet": MXNetTracer}
