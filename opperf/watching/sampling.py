"""Looking at a tree of processes ten times a second, for less than a hundredth of a core."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Event, Thread
from typing import TYPE_CHECKING

import psutil

from opperf.core.environment.nvml import load_nvml, memory_in_use
from opperf.watching.keeper import below

if TYPE_CHECKING:
    from opperf.watching.usage import Usage

INTERVAL = 0.1
LOOK, MAP = 160, 400
"""How many times as long as a look at the tree, or at its shared pages, has taken it takes at least
to the next one: together they cost 0.875 % of a core at most."""
GONE = (psutil.NoSuchProcess, psutil.AccessDenied, OSError)


@dataclass
class TreeSampler:
    """Samples what hangs below a process into a `Usage`, in a thread between start and stop.

    The first sample is taken by `start` itself, before it returns.
    """

    keeper: int
    usage: Usage
    interval: float = INTERVAL
    processes: dict[int, psutil.Process] = field(default_factory=dict)
    stopping: Event = field(default_factory=Event)
    last: float = 0.0
    last_cpu: float = 0.0
    mapped_at: float = 0.0

    def start(self) -> None:
        """Take the first sample, and go on in a thread."""
        nvml = load_nvml()
        self.gpu = nvml if nvml.value is None else memory_in_use(nvml)
        self.nvml = nvml
        self.usage.gpu_reason = self.gpu.reason
        self.last, began = time.perf_counter(), time.thread_time()
        self.sample()
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
            self.usage.watch_seconds += cost
            pause = pause_after(cost, self.interval)

    def sample(self) -> None:
        """Add one sample to the usage."""
        now = time.perf_counter()
        pids = below(self.keeper)
        self.processes = {pid: found for pid in pids if (found := self.find(pid)) is not None}
        rss = vms = threads = 0
        cpu = 0.0
        for process in self.processes.values():
            try:
                with process.oneshot():
                    memory, times = process.memory_info(), process.cpu_times()
                    threads += process.num_threads()
            except GONE:
                continue
            rss += memory.rss
            vms += memory.vms
            cpu += times.user + times.system + times.children_user + times.children_system
        usage = self.usage
        for figure, value in (
            (usage.rss, rss), (usage.vms, vms), (usage.threads, threads),
            (usage.processes, len(self.processes)),
        ):  # fmt: skip
            figure.add(value)
        gap = now - self.last
        if gap > 0 and usage.rss.count > 1:
            usage.cpu.add(100 * max(cpu - self.last_cpu, 0.0) / gap)
            usage.longest_gap = max(usage.longest_gap, gap)
        self.last, self.last_cpu = now, cpu
        if now >= self.mapped_at:
            self.sample_shared()
        if self.gpu.value is not None and (used := memory_in_use(self.nvml).value) is not None:
            usage.gpu_memory.add(used)

    def sample_shared(self) -> None:
        """Add the bytes of which each process has its part; the kernel walks all pages for them."""
        began = time.thread_time()
        total = 0
        for process in self.processes.values():
            with suppress(*GONE):
                total += process.memory_full_info().pss
        self.usage.pss.add(total)
        self.mapped_at = time.perf_counter() + MAP * (time.thread_time() - began)

    def find(self, pid: int) -> psutil.Process | None:
        """Return the process of this number; one that was there in the last sample is kept."""
        kept = self.processes.get(pid)
        if kept is not None:
            return kept
        try:
            return psutil.Process(pid)
        except GONE:
            return None


def pause_after(cost: float, interval: float) -> float:
    """Return the seconds to wait after a look that took so long."""
    return max(interval, LOOK * cost) - cost
