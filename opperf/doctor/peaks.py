"""Measuring the machine's peaks, in a fresh child for each framework and number of threads."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from opperf.core.errors import OpperfError
from opperf.core.finding import Finding
from opperf.core.memory.available import available_memory
from opperf.core.results.record import now
from opperf.core.roofline.peaks import Bandwidth, Peaks, Product
from opperf.core.units import format_rate
from opperf.doctor.child import Survey
from opperf.measuring.worker.handle import Limits, Worker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

SMALLEST, LARGEST = 2**14, 2**28
"""Bytes: half of a common first-level cache, and beyond all but the largest last-level ones."""
FASTEST = ("pytorch", "mxnet")
"""The first of these that is installed is asked beside NumPy; the others bound no further."""
GPU = "cuda:0"
ENOUGH = 10.0
"""Seconds after which a child does not begin another round."""
MEMORY_SHARE = 4
"""A working set takes at most one part in so many of the memory that is free."""


def sizes(free: int | None, caches: Iterable[int | None] = ()) -> tuple[int, ...]:
    """Return the working sets in bytes, each twice the last, up to a quarter of the free memory.

    Three quarters of each cache are added: just before a cliff the bandwidth is that above it, and
    a line from one power of two to the next would cut the corner.
    """
    most = LARGEST if free is None else min(LARGEST, free // MEMORY_SHARE)
    count = max(most // SMALLEST, 1).bit_length()
    inside = {cache * 3 // 4 for cache in caches if cache and SMALLEST < cache * 3 // 4 < most}
    return tuple(sorted({*(SMALLEST << step for step in range(count)), *inside}))


def thread_levels(cores: object) -> tuple[int, ...]:
    """Return one thread, and as many as there are processors."""
    return (1, cores) if isinstance(cores, int) and cores > 1 else (1,)


@dataclass
class PeakSearch:
    """The rates found so far, the best of each kind, and what could not be measured."""

    bandwidths: dict[tuple[Any, ...], Bandwidth] = field(default_factory=dict)
    products: dict[tuple[Any, ...], Product] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)

    def take(self, message: dict[str, Any]) -> None:
        """Keep a rate where it is the best of its kind, and the reason where there is none."""
        if message["event"] == "bandwidth":
            found = Bandwidth(**message["found"])
            keep(self.bandwidths, (found.device, found.threads, found.nbytes, found.way), found)
        elif message["event"] == "product":
            best = Product(**message["found"])
            keep(self.products, (best.device, best.threads, best.dtype, best.way), best)
        elif message["event"] == "rateless":
            line = f"{message['way']}: {message['reason']}"
            if line not in self.failures:
                self.failures.append(line)

    def peaks(self, machine_key: str) -> Peaks:
        """Return what was found as this machine's."""
        return Peaks(
            machine_key=machine_key,
            measured_at=now(),
            bandwidths=tuple(self.bandwidths.values()),
            products=tuple(self.products.values()),
        )


def keep(best: dict[tuple[Any, ...], Any], key: tuple[Any, ...], peak: Any) -> None:
    """Enter the rate unless a higher one is there."""
    if key not in best or peak.rate > best[key].rate:
        best[key] = peak


def search_peaks(
    frameworks: Iterable[str], facts: Mapping[str, Any], say: Callable[[str], None]
) -> PeakSearch:
    """Return the rates of the fastest of these frameworks and of NumPy.

    Args:
        frameworks: the installed ones.
        facts: those of the environment; of several GPUs the first is measured.
        say: is told what is being measured. What cannot be is a failure.
    """
    search = PeakSearch()
    installed = tuple(frameworks)
    fast = next((name for name in FASTEST if name in installed), None)
    wanted = sizes(available_memory(), (facts.get("caches") or {}).values())
    for threads in thread_levels(facts.get("cores")):
        for name in filter(None, ("numpy", fast)):
            say(f"peaks: {name}, {threads} thread{'s' if threads > 1 else ''}")
            ask(search, name, Survey(sizes=wanted, threads=threads))
    if facts.get("gpu") and fast:
        say(f"peaks: {fast} on {GPU}")
        ask(search, fast, Survey(sizes=wanted, device=GPU))
    return search


def ask(
    search: PeakSearch, framework: str, survey: Survey, clock: Callable[[], float] = time.monotonic
) -> None:
    """Let a fresh child look for peaks; what it found before it failed stands.

    Where the machine is slow, one round has to do.
    """
    worker = Worker(
        framework=framework,
        device=survey.device,
        threads=survey.threads,
        limits=Limits(),
        module="opperf.doctor.child",
    )
    deadline = clock() + ENOUGH
    try:
        worker.ensure()
        for message in worker.run(survey):
            search.take(message)
            if message["event"] == "round" and clock() > deadline:
                break
    except OpperfError as error:
        place = f"{survey.device}, {survey.threads} threads"
        search.failures.append(f"{framework} on {place}: {error}")
    finally:
        worker.close()


def peak_findings(peaks: Peaks) -> list[Finding]:
    """Return a finding a rate, for programs."""
    moved = [
        Finding(
            check="bandwidth",
            subject=f"{found.way} {found.nbytes} B {found.device} threads={found.threads}",
            figure=format_rate(found.rate, "B/s"),
            value=found.rate,
            unit="B/s",
        )
        for found in peaks.bandwidths
    ]
    multiplied = [
        Finding(
            check="product",
            subject=f"{found.way} {found.dtype} {found.device} threads={found.threads}",
            figure=format_rate(found.rate, "FLOP/s"),
            value=found.rate,
            unit="FLOP/s",
        )
        for found in peaks.products
    ]
    return [*moved, *multiplied]
