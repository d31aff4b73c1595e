"""A GPU whose clock moves only when a test's kernels say so, in the shape of torch.cuda."""

from __future__ import annotations

from collections import deque
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from itertools import repeat
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.frameworks.workload import Work
from opperf.pytorch_benchmarks.cuda import Gpu

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from opperf.core.frameworks.device import Step

US = 1000


@dataclass
class FakeCuda:
    """A host and a GPU in nanoseconds: launches wait in a queue of `depth`, and run in order.

    `rate` is the cycles of a sleep in a second; `capturable` whether graphs can be captured.
    """

    rate: float = 1.5e9
    depth: int = 1024
    capturable: bool = True
    l2: int = 50 * 2**20
    free: int = 80 * 2**30
    now: float = 0.0
    busy_until: float = 0.0
    queue: deque[float] = field(default_factory=deque)
    longest_queue: int = 0
    capturing: FakeGraph | None = None
    replays: int = 0

    def clock(self) -> int:
        """Return the host's time."""
        return round(self.now)

    def launch(self, duration: float, submit: float = 5 * US) -> None:
        """Submit a kernel; a full queue makes the host wait for its oldest."""
        self.now += submit
        if self.capturing is not None:
            self.capturing.duration += duration
            return
        while self.queue and self.queue[0] <= self.now:
            self.queue.popleft()
        if len(self.queue) >= self.depth:
            self.now = self.queue.popleft()
        self.busy_until = max(self.now, self.busy_until) + duration
        self.queue.append(self.busy_until)
        self.longest_queue = max(self.longest_queue, len(self.queue))

    def _sleep(self, cycles: int) -> None:
        self.launch(cycles / self.rate * 1e9)

    def synchronize(self) -> None:
        """Wait for the GPU."""
        if self.capturing is not None:
            raise RuntimeError("CUDA error: operation not permitted when stream is capturing")
        self.now = max(self.now, self.busy_until)

    def Event(self, *, enable_timing: bool) -> FakeEvent:  # noqa: N802 - torch's name
        """Return an event."""
        assert enable_timing
        return FakeEvent(self)

    def Stream(self) -> Any:  # noqa: N802 - torch's name
        """Return a stream that does no more than be there."""
        return SimpleNamespace(wait_stream=lambda _: None)

    def current_stream(self) -> Any:
        """Return a stream."""
        return self.Stream()

    def stream(self, stream: Any) -> Any:
        """Return the context of a stream."""
        del stream
        return nullcontext()

    def CUDAGraph(self) -> FakeGraph:  # noqa: N802 - torch's name
        """Return an empty graph."""
        return FakeGraph(self)

    @contextmanager
    def graph(self, graph: FakeGraph, *, stream: Any) -> Iterator[None]:
        """Capture into the graph."""
        del stream
        if not self.capturable:
            raise RuntimeError("CUDA error: operation not permitted when stream is capturing")
        self.capturing = graph
        try:
            yield
        finally:
            self.capturing = None

    def get_device_properties(self, index: int) -> Any:
        """Return what there is to know of the GPU."""
        return SimpleNamespace(L2_cache_size=self.l2, uuid=f"0000-{index}")

    def mem_get_info(self, index: int) -> tuple[int, int]:
        """Return the free and all of the memory."""
        assert index == 0
        return self.free, self.free

    def work(self, step: Step, **fields: Any) -> Work:
        """Return a work that repeats the step."""
        device = Gpu(self, 0, clock=self.clock).device
        return Work(device=device, steps=partial(repeat, step), no_op=self.harness, **fields)

    def harness(self) -> None:
        """Take the host the 50 ns that the harness adds to a call."""
        self.now += 50

    def kernel(self, duration: float, submit: float = 5 * US, launches: int = 1) -> Step:
        """Return a call of so many launches, each of these nanoseconds on GPU and host."""

        def step() -> None:
            for _ in range(launches):
                self.launch(duration, submit)

        return step

    def waiting(self, duration: float, submit: float = 5 * US) -> Step:
        """Return a call that waits for what it launched, as nonzero does."""

        def step() -> None:
            self.launch(duration, submit)
            self.synchronize()

        return step


@dataclass
class FakeEvent:
    """An event that knows when the GPU came to it."""

    cuda: FakeCuda
    at: float | None = None

    def record(self) -> None:
        """Put it behind what was submitted so far."""
        self.at = max(self.cuda.now, self.cuda.busy_until)

    def query(self) -> bool:
        """Return whether the GPU has come to it."""
        assert self.at is not None
        return self.cuda.now >= self.at

    def synchronize(self) -> None:
        """Wait for it."""
        assert self.at is not None
        self.cuda.now = max(self.cuda.now, self.at)

    def elapsed_time(self, other: FakeEvent) -> float:
        """Return the milliseconds until another event."""
        assert self.at is not None
        assert other.at is not None
        return (other.at - self.at) * 1e-6


@dataclass
class FakeGraph:
    """Captured kernels, launched as one."""

    cuda: FakeCuda
    duration: float = 0.0

    def replay(self) -> None:
        """Launch them."""
        self.cuda.replays += 1
        self.cuda.launch(self.duration, 8 * US)


@pytest.fixture
def cuda() -> FakeCuda:
    """Return a fake GPU."""
    return FakeCuda()


@pytest.fixture
def gpu(cuda: FakeCuda) -> Gpu:
    """Return the fake as opperf's GPU."""
    return Gpu(cuda, 0, clock=cuda.clock)


@pytest.fixture
def make_torch() -> Callable[..., Any]:
    """Return a function that makes what opperf asks of the module torch about its GPUs."""

    def make(count: int, *, built: str | None = "13.0", broken: str | None = None) -> Any:
        def synchronize() -> None:
            if broken:
                raise RuntimeError(broken)

        cuda = SimpleNamespace(
            device_count=lambda: count, set_device=lambda _: None, synchronize=synchronize
        )
        return SimpleNamespace(
            cuda=cuda, version=SimpleNamespace(cuda=built), __version__="2.13.0+cpu"
        )

    return make
