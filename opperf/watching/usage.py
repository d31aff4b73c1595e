"""What a tree of processes takes: figures over its samples, and totals of the kernel's."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

from opperf.core.timing.metric import Metric

if TYPE_CHECKING:
    from collections.abc import Iterator

NOT_SAMPLED = "it ended before it was looked at"


class TreeSample(NamedTuple):
    """What all processes of a tree held together at one moment.

    `time` is in seconds from the first sample, which is taken before the command is let go;
    `cpu_percent`, of one processor, is of the time since the sample before.
    """

    time: float
    rss: float
    vms: float
    cpu_percent: float


@dataclass
class FigureSpread:
    """Count, mean, spread and largest of values as they come, without keeping them.

    `reason` says why none come, or no further ones.
    """

    count: int = 0
    mean: float = 0.0
    squares: float = 0.0
    largest: float | None = None
    reason: str | None = None

    def add(self, value: float) -> None:
        """Take one more value (Welford's recurrence)."""
        self.count += 1
        step = value - self.mean
        self.mean += step / self.count
        self.squares += step * (value - self.mean)
        self.largest = value if self.largest is None else max(self.largest, value)

    @property
    def deviation(self) -> float:
        """The standard deviation of all values."""
        return sqrt(self.squares / self.count) if self.count else 0.0


@dataclass
class Usage:
    """Bytes, processes and seconds of a whole tree, from its first moment to its last.

    `peak_process` is the kernel's own largest size of any process of the tree, however briefly it
    had it; `cpu_seconds` and `io` are the kernel's totals of all that has been waited for, None
    where the keeper could not say.
    """

    rss: FigureSpread = field(default_factory=FigureSpread)
    pss: FigureSpread = field(default_factory=FigureSpread)
    vms: FigureSpread = field(default_factory=FigureSpread)
    threads: FigureSpread = field(default_factory=FigureSpread)
    processes: FigureSpread = field(default_factory=FigureSpread)
    cpu: FigureSpread = field(default_factory=FigureSpread)
    gpu_memory: FigureSpread = field(default_factory=FigureSpread)
    gpu_utilization: FigureSpread = field(default_factory=FigureSpread)
    peak_process: int | None = None
    cgroup_peak: int | None = None
    cgroup_reason: str | None = None
    cpu_seconds: float | None = None
    seconds: float = 0.0
    io: dict[str, int] = field(default_factory=dict)
    longest_gap: float = 0.0
    watch_seconds: float = 0.0

    @property
    def peak_rss(self) -> float | None:
        """The most bytes that lay in memory: those of all processes at once, or of one between."""
        known = [value for value in (self.rss.largest, self.peak_process) if value is not None]
        return max(known, default=None)

    @property
    def peak_vms(self) -> float | None:
        """The most addresses: those of samples, but no fewer than the bytes that lay in memory."""
        known = [value for value in (self.vms.largest, self.peak_process) if value is not None]
        return max(known, default=None)

    @property
    def cpu_percent(self) -> float | None:
        """The share of one processor over the whole time, by the kernel's total."""
        if self.cpu_seconds is None or not self.seconds:
            return None
        return 100 * self.cpu_seconds / self.seconds

    @property
    def peak_cpu_percent(self) -> float | None:
        """The share of one processor in the busiest time between two samples, or in all of it."""
        known = [value for value in (self.cpu.largest, self.cpu_percent) if value is not None]
        return max(known, default=None)

    @property
    def watch_share(self) -> float | None:
        """The share of one core that looking at the tree took."""
        return self.watch_seconds / self.seconds if self.seconds else None

    def metrics(self) -> Iterator[Metric]:
        """Yield each quantity, or why it has no value."""
        yield quantity("rss_peak", "B", self.peak_rss, NOT_SAMPLED)
        yield quantity("pss_peak", "B", self.pss.largest, NOT_SAMPLED)
        yield quantity("vms_peak", "B", self.peak_vms, NOT_SAMPLED)
        yield quantity("cgroup_memory_peak", "B", self.cgroup_peak, self.cgroup_reason)
        yield quantity("cpu_seconds", "s", self.cpu_seconds, "the keeper was killed")
        killed = "the keeper was killed"
        yield quantity("cpu_percent", "%", self.cpu_percent, killed, better=None)
        cpu = self.peak_cpu_percent
        yield quantity("cpu_percent_peak", "%", cpu, NOT_SAMPLED, better=None)
        yield quantity("threads_peak", "1", self.threads.largest, NOT_SAMPLED, better=None)
        yield quantity("processes_peak", "1", self.processes.largest, NOT_SAMPLED, better=None)
        for name, counter in (
            ("bytes_read", "rchar"), ("bytes_written", "wchar"),
            ("disk_read", "read_bytes"), ("disk_written", "write_bytes"),
        ):  # fmt: skip
            yield quantity(name, "B", self.io.get(counter), "the kernel does not count it")
        gpu = self.gpu_memory
        for name, value in (
            ("gpu_memory_max", gpu.largest), ("gpu_memory_mean", gpu.mean),
            ("gpu_memory_std", gpu.deviation),
        ):  # fmt: skip
            yield quantity(name, "B", value if gpu.count else None, gpu.reason)
        busy = self.gpu_utilization
        mean = busy.mean if busy.count else None
        yield quantity("gpu_utilization", "%", mean, busy.reason, better=None)


def quantity(
    name: str, unit: str, value: float | None, reason: str | None, better: str | None = "less"
) -> Metric:
    """Return a quantity of one run of a command."""
    why = None if value is not None else reason
    return Metric(name=name, unit=unit, value=value, better=better, per="run", reason=why)
