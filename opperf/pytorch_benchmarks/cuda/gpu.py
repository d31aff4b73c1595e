"""One GPU: whether it can be used, how operators are timed on it, and what it tells of itself."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from statistics import median
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any

from opperf.core.environment.nvml import gpu_state, load_nvml
from opperf.core.errors import UsageError
from opperf.core.frameworks.device import Device
from opperf.core.frameworks.observation import Observation, clock_warnings, time_warnings
from opperf.pytorch_benchmarks.cuda.blocker import Lead, sleep_rate
from opperf.pytorch_benchmarks.cuda.device import INTERVAL, DeviceWork, EventDevice, some
from opperf.pytorch_benchmarks.cuda.tuning import SHORTEST, tune

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.environment.nvml import NvmlValue
    from opperf.core.frameworks.device import Clock
    from opperf.core.frameworks.workload import Work

WARM_SECONDS = 0.1
"""Once a session: until then the clock is still that of an idle GPU."""
MOST_FIGURES, FIGURE_SECONDS = 31, 0.05
"""How often, and for how long at most, submission and latency are measured."""
SUBMITTED = 8
"""Calls in a row whose submission is timed."""


@dataclass
class Gpu:
    """A GPU by its index among those that PyTorch sees; `cuda` is the module torch.cuda."""

    cuda: Any
    index: int
    clock: Clock = perf_counter_ns
    warm: bool = False

    @cached_property
    def device(self) -> Device:
        """The GPU timed by the host: what a first call takes, and a call that is awaited."""
        return Device(
            name=f"cuda:{self.index}",
            synchronize=self.cuda.synchronize,
            interval=INTERVAL,
            cache_bytes=getattr(self.properties, "L2_cache_size", None) or None,
            free_bytes=self.free_bytes,
            clock=self.clock,
        )

    @cached_property
    def properties(self) -> Any:
        """What CUDA says of the GPU."""
        return self.cuda.get_device_properties(self.index)

    def free_bytes(self) -> int:
        """Return the bytes that nobody holds, this process's allocator included."""
        free: int = self.cuda.mem_get_info(self.index)[0]
        return free

    @cached_property
    def rate(self) -> float:
        """The cycles of a sleep in a second."""
        return sleep_rate(self.cuda, self.clock)

    def tune(self, work: Work) -> Work:
        """Re-tune a work for this GPU: events behind a blocker, a graph or the host's clock."""
        with work.context():
            self.warm_up(work)
            return tune(work, self.timer(0.0))

    def timer(self, submit: float) -> EventDevice:
        """Return the GPU timed by events, for calls that take so many seconds to submit."""
        return EventDevice(
            name=self.device.name,
            synchronize=self.cuda.synchronize,
            cache_bytes=self.device.cache_bytes,
            free_bytes=self.free_bytes,
            clock=self.clock,
            cuda=self.cuda,
            rate=self.rate,
            lead=Lead(submit),
        )

    def warm_up(self, work: Work) -> None:
        """Keep the GPU busy until its clock has risen, once a session."""
        began = self.clock()
        while not self.warm and self.clock() - began < WARM_SECONDS * 1e9:
            work.time(work.least)
        self.warm = True

    def observe(self, work: Work, seconds: float) -> Observation:
        """Return what the GPU tells of a work whose calls were found to last so many seconds."""
        if not isinstance(work, DeviceWork):
            return Observation()
        state = self.state()  # while the clocks are still those of the samples
        with work.context():
            times = self.times(work, seconds)
        if isinstance(work.device, EventDevice):
            warnings = [*time_warnings(times, work.device.lead.late_share)]
        else:
            warnings = [work.by_host] if work.by_host else []
        return Observation(
            device_times=times,
            conditions={
                "gpu_state": None if state.value is None else [state.value],
                "gpu_state_reason": state.reason,
            },
            warnings=[*warnings, *clock_warnings(state.value)],
        )

    def times(self, work: DeviceWork, seconds: float) -> dict[str, float | bool | None]:
        """Return the three figures of a GPU in seconds, and whether a graph was timed.

        Where only the host's clock could time it, its part and the GPU's cannot be separated.
        """
        by_host = work.by_host is not None
        return {
            "submit": None if by_host else self.submit_time(work.eager, seconds),
            "device": None if by_host else seconds,
            "latency": self.latency(work.eager),
            "graph": work.graph,
        }

    def submit_time(self, work: Work, seconds: float) -> float:
        """Return the seconds that a call takes the host while the GPU is busy with a blocker."""
        count = max(min(SUBMITTED, work.limit, int(INTERVAL / max(seconds, SHORTEST))), 1)
        timer = self.timer(0.0)
        return self.typical(lambda: timer.batch(some(work, count)).submitted) / count

    def latency(self, work: Work) -> float:
        """Return the seconds from a call on an idle GPU until its outputs are there."""
        return self.typical(lambda: self.device.time(some(work, 1)))

    def typical(self, measure: Callable[[], float]) -> float:
        """Return the median of some measurements, of fewer where they take long."""
        began = self.clock()
        found = [measure()]
        while len(found) < MOST_FIGURES and self.clock() - began < FIGURE_SECONDS * 1e9:
            found.append(measure())
        return median(found)

    def state(self) -> NvmlValue:
        """Return the clocks, power and memory of this GPU by NVML, or why they cannot be told."""
        return gpu_state(load_nvml(), f"GPU-{getattr(self.properties, 'uuid', '')}")


def find_gpu(torch: Any, name: str) -> Gpu:
    """Return the GPU of this name, made the current one.

    Raises:
        UsageError: there is none of this name, or it cannot be used; there is no falling back to
            the CPU.
    """
    match = re.fullmatch(r"cuda:(\d+)", name)
    if match is None:
        raise UsageError(f"device {name!r}: pytorch is measured on: cpu, cuda:N")
    index, count = int(match[1]), torch.cuda.device_count()
    if index >= count:
        raise UsageError(f"device {name!r}: {what_there_is(torch, count)}")
    try:
        torch.cuda.set_device(index)
        torch.cuda.synchronize()
    except RuntimeError as error:
        said = (str(error).splitlines() or [type(error).__name__])[0]
        raise UsageError(f"device {name!r}: cannot be used: {said}") from error
    return Gpu(torch.cuda, index)


def what_there_is(torch: Any, count: int) -> str:
    """Return how many GPUs there are as text; of none, what may be missing."""
    if count:
        last = f" to cuda:{count - 1}" if count > 1 else ""
        return f"{count} CUDA device{'s' * (count > 1)} found, cuda:0{last}"
    if torch.version.cuda is None:
        return f"no CUDA device found: this torch, {torch.__version__}, is built without CUDA"
    return "no CUDA device found"
