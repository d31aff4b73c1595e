"""Looking at a tree of processes ten times a second, for less than a hundredth of a core."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Event, Thread
from typing import TYPE_CHECKING

import psutil

from opperf.core.environment.nvml import busy_share, load_nvml, memory_in_use
from opperf.watching.stat import read_tree
from opperf.watching.usage import TreeSample

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from opperf.watching.stat import ProcessStat
    from opperf.watching.usage import Usage

INTERVAL = 0.1
LOOK, MAP = 120, 700
"""How many times as long as a look at the tree, or at its shared pages, has taken it takes at least
to the next one: together they cost 0.98 % of a core at most."""
GONE = (psutil.NoSuchProcess, psutil.AccessDenied, OSError)


@dataclass
class TreeSampler:
    """Samples what hangs below a process into a `Usage`, in a thread between start and stop.

    The first sample is taken by `start` itself, before it returns.
    """

    keeper: int
    usage: Usage
    interval: float = INTERVAL
    on_sample: Callable[[TreeSample], None] | None = None
    tree: Mapping[int, ProcessStat] = field(default_factory=dict)
    stopping: Event = field(default_factory=Event)
    first: float = 0.0
    last: float = 0.0
    last_cpu: float = 0.0
    mapped_at: float = 0.0

    def start(self) -> None:
        """Take the first sample, and go on in a thread."""
        self.nvml = load_nvml()
        self.gpus = [
            (self.usage.gpu_memory, memory_in_use),
            (self.usage.gpu_utilization, busy_share),
        ]
        self.first = self.last = time.perf_counter()
        began = time.thread_time()
        self.sample()
        self.sample_shared()
        self.usage.watch_seconds += time.thread_time() - began
        self.thread = Thread(target=self.run, name="opperf-watch", daemon=True)
        self.thread.start()

    def stop(self) -> None:
        """End the thread."""
        self.stopping.set()
        self.thread.join()

    def run(self) -> None:
        """Sample until stopped, at a pace that the samples' own cost allows."""
        pause = self.interval
        while not self.stopping.wait(pause):
            began = time.thread_time()
            self.sample()
            cost = time.thread_time() - began
            if time.perf_counter() >= self.mapped_at:
                self.sample_shared()
            self.usage.watch_seconds += time.thread_time() - began
            pause = pause_after(cost, self.interval)

    def sample(self) -> None:
        """Add one sample to the usage."""
        now = time.perf_counter()
        self.tree = read_tree(self.keeper)
        found = self.tree.values()
        rss, vms, cpu, threads = map(sum, zip(*found, strict=True)) if found else (0, 0, 0.0, 0)
        usage = self.usage
        for figure, value in (
            (usage.rss, rss), (usage.vms, vms), (usage.threads, threads),
            (usage.processes, len(found)),
        ):  # fmt: skip
            figure.add(value)
        gap = now - self.last
        percent = 0.0
        if gap > 0 and usage.rss.count > 1:
            percent = 100 * max(cpu - self.last_cpu, 0.0) / gap
            usage.cpu.add(percent)
            usage.longest_gap = max(usage.longest_gap, gap)
        self.last, self.last_cpu = now, cpu
        if self.on_sample:
            self.on_sample(TreeSample(now - self.first, rss, vms, percent))
        for figure, read in self.gpus:
            if figure.reason is None:
                value, figure.reason = read(self.nvml)
                if value is not None:
                    figure.add(value)

    def sample_shared(self) -> None:
        """Add the bytes of which each process has its part; the kernel walks all pages for them."""
        began = time.thread_time()
        total = 0
        for pid in self.tree:
            with suppress(*GONE):
                total += psutil.Process(pid).memory_full_info().pss
        self.usage.pss.add(total)
        self.mapped_at = time.perf_counter() + MAP * (time.thread_time() - began)


def pause_after(cost: float, interval: float) -> float:
    """Return the seconds to wait after a look that took so long."""
    return max(interval, LOOK * cost) - cost
