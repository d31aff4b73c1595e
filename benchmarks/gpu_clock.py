"""E12: how well a GPU is timed, on sleeps and empty kernels whose times are known to be linear.

Run: ``.venv/bin/python benchmarks/gpu_clock.py [cuda:N]``; without a GPU it says so and exits 2.

Both ways of timing are tried, events behind a blocker and captured graphs:

* slope: calls of 1 to 64 sleeps of 10 us; how far the slope over the short calls is from that over
  the long ones;
* intercept: what the line through all of them says that a call of no sleep takes;
* error at 2, 5 and 10 us: one sleep of as many cycles as pass in that time by a sleep of
  milliseconds, less an empty kernel.
"""

from __future__ import annotations

import sys
from functools import partial
from itertools import repeat
from typing import TYPE_CHECKING

import numpy as np

from opperf.core.configuration.settings import Settings
from opperf.core.errors import UsageError
from opperf.core.frameworks.registry import find_framework, require_installed
from opperf.core.frameworks.workload import Work, accept_all
from opperf.core.statistics.summary import summarize
from opperf.core.timing.measure import measure
from opperf.legacy.spellings import device_name
from opperf.pytorch_benchmarks.cuda.blocker import sleep
from opperf.pytorch_benchmarks.cuda.tuning import PROBES, by_events, by_graph, find_pace, probe

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from opperf.pytorch_benchmarks.cuda import Gpu

CHAIN = (1, 2, 4, 8, 16, 32, 64)
MIDDLE = CHAIN.index(8)
UNIT = 10e-6
LENGTHS = (2e-6, 5e-6, 10e-6)
SLOPE, INTERCEPT, ERROR = 0.003, 0.3e-6, 0.05
SETTINGS = Settings(precision=0.001, budget=1.0)


def chain(gpu: Gpu, count: int, seconds: float) -> Callable[[], object]:
    """Return a call of so many sleeps of so many seconds each; of none, an empty kernel."""
    cycles = int(seconds * gpu.rate)

    def step() -> None:
        for _ in range(count):
            sleep(gpu.cuda, cycles)

    return step


def seconds_of(gpu: Gpu, step: Callable[[], object], *, graph: bool) -> float:
    """Return the seconds of a call, measured as any operator's."""
    work = Work(device=gpu.device, steps=partial(repeat, step), no_op=accept_all)
    timer = gpu.timer(0.0)
    gpu.warm_up(work)
    pace = find_pace(work, timer, probe(work, timer, PROBES[0]).submitted)
    timed = by_graph(work, timer, pace) if graph else by_events(work, timer, pace)
    if timed is None:
        raise UsageError("a sleep cannot be captured here")
    return summarize(measure(timed, SETTINGS, first_call=0.0).times()).median


def slope(counts: Sequence[int], seconds: Sequence[float]) -> tuple[float, float]:
    """Return the slope and the intercept of the least-squares line."""
    line = np.polyfit(np.asarray(counts, float), np.asarray(seconds, float), 1)
    return float(line[0]), float(line[1])


def figures(gpu: Gpu, *, graph: bool) -> dict[str, tuple[float, float]]:
    """Return each figure with its target: shares, and seconds for the intercept."""
    lasted = [seconds_of(gpu, chain(gpu, count, UNIT), graph=graph) for count in CHAIN]
    short, _ = slope(CHAIN[: MIDDLE + 1], lasted[: MIDDLE + 1])
    long, _ = slope(CHAIN[MIDDLE:], lasted[MIDDLE:])
    _, intercept = slope(CHAIN, lasted)
    empty = seconds_of(gpu, chain(gpu, 1, 0.0), graph=graph)
    print(f"  empty kernel {empty * 1e6:.2f} us, sleep of 10 us {long * 1e6:.3f} us")
    found = {
        "slope": (abs(short / long - 1), SLOPE),
        "intercept": (abs(intercept), INTERCEPT),
    }
    for length in LENGTHS:
        net = seconds_of(gpu, chain(gpu, 1, length), graph=graph) - empty
        found[f"error at {length * 1e6:.0f} us"] = (abs(net / length - 1), ERROR)
    return found


def shown(name: str, value: float) -> str:
    """Return a figure with its unit."""
    return f"{value * 1e6:.3f} us" if name == "intercept" else f"{value:.2%}"


def report(gpu: Gpu) -> bool:
    """Print all figures beside their targets; return whether they are met."""
    met = True
    for graph in (False, True):
        print("captured graphs:" if graph else "events behind a blocker:")
        for name, (value, target) in figures(gpu, graph=graph).items():
            verdict = "met" if value <= target else "MISSED"
            met = met and value <= target
            print(
                f"  {name:16s} {shown(name, value):>10s}  target {shown(name, target)}  {verdict}"
            )
    return met


def main(arguments: Sequence[str]) -> int:
    """Report on the GPU named, by default the first: 0 where all is met, 1 where not, 2 without."""
    framework = find_framework("pytorch")
    try:
        require_installed(framework)
        framework.load(1)
        gpu = framework.gpu(device_name(arguments[0] if arguments else "cuda:0"))  # type: ignore[attr-defined] # PyTorch's own
        print(f"{gpu.device.name}: {getattr(gpu.properties, 'name', 'a GPU')}")
        return 0 if report(gpu) else 1
    except UsageError as error:
        print(f"gpu_clock: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
