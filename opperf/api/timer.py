"""`opperf.timer`: how long a block of code takes."""

from __future__ import annotations

import sys
from contextlib import ContextDecorator
from html import escape
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.registry import MEASURED, find_framework
from opperf.core.results.collection import frame_of
from opperf.core.statistics.summary import Summary, summarize
from opperf.core.units import coarsest, format_precision, format_seconds

if TYPE_CHECKING:
    from types import TracebackType

    from typing_extensions import Self


class Timer(ContextDecorator):
    """Times a block each time it is entered: `with opperf.timer("load") as timer: ...`.

    What MXNet or a GPU has still to do at the end of the block is waited for. One pass says how
    long it took once; from six passes on there is an interval. Nothing is warmed up or checked, and
    no overhead taken off: `opperf.measure` does that. A block that raises is not counted.

    Args:
        name: what is timed.

    """

    def __init__(self, name: str = "block") -> None:
        self.name = name
        self.seconds: list[float] = []
        self.began: list[int] = []

    def __enter__(self) -> Self:
        await_devices()
        self.began.append(perf_counter_ns())
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        began = self.began.pop()
        if kind is None:
            await_devices()
            self.seconds.append((perf_counter_ns() - began) * 1e-9)

    @property
    def summary(self) -> Summary | None:
        """The statistics of all passes, None where there was none."""
        return summarize(self.seconds) if self.seconds else None

    @property
    def median(self) -> float | None:
        """The median in seconds, None where there was no pass."""
        return self.summary.median if self.summary else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the median in seconds, None where there are too few passes."""
        return self.summary.interval if self.summary else None

    def __repr__(self) -> str:
        summary = self.summary
        if summary is None:
            return f"{self.name}: not timed yet"
        shown = format_seconds(summary.median, coarsest(summary.median, summary.precision))
        if summary.n == 1:
            return f"{self.name}: {shown}, once"
        spread = "" if summary.precision is None else f" {format_precision(summary.precision)}"
        return f"{self.name}: {shown}{spread}, median of {summary.n}"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(repr(self))}</pre>"

    def to_frame(self) -> Any:
        """Return a DataFrame with a row a pass, in seconds.

        Raises:
            NotInstalledError: pandas is not installed.
        """
        return frame_of([{"name": self.name, "seconds": seconds} for seconds in self.seconds])


def await_devices() -> None:
    """Wait for whatever the frameworks that are imported still have to do."""
    for name in MEASURED:
        framework = find_framework(name)
        module = sys.modules.get(framework.module)
        if module is None:
            continue
        framework.device("cpu").synchronize()
        cuda = getattr(module, "cuda", None)  # PyTorch's; MXNet waits for all of its devices
        if cuda is not None and cuda.is_initialized():
            cuda.synchronize()
