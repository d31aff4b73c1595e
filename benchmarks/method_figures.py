"""The figures behind docs/lab/method.md: what the loop, MXNet's engine and restoring copies add.

Run: ``.venv/bin/python benchmarks/method_figures.py``
"""

from __future__ import annotations

import platform
from functools import partial
from itertools import repeat
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from opperf.core.frameworks.device import Device
from opperf.core.frameworks.registry import find_framework
from opperf.core.frameworks.workload import accept_all
from opperf.core.memory.span import lines
from opperf.core.preparing.mutating import RESUMED
from opperf.core.statistics.summary import summarize
from opperf.core.timing.measure import without_collector

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from opperf.core.frameworks.device import Step
    from opperf.core.frameworks.framework import Framework

CALLS = 10_000
BATCHES = (1, 4, 16, 64, 256, 1024)
LONGEST = 40e-3
TURNS, SAMPLES = 60, 40


def nothing(*_: object, **__: object) -> None:
    """Do in Python what the bare call does in C."""


def loop_costs() -> None:
    """Print what one iteration of the timed loop costs for calls that do nothing."""
    arguments = (np.zeros(1), np.zeros(1))
    steps: dict[str, Step] = {
        "C function without arguments": partial(bool),
        "bare call, two arguments": partial(accept_all, *arguments),
        "bare call, two arguments and two keywords": partial(accept_all, *arguments, axis=1, k=2),
        "Python function, two arguments": partial(nothing, *arguments),
    }
    for name, step in steps.items():
        times = [Device().time(repeat(step, CALLS)) / CALLS for _ in range(20)]
        print(f"  {name:42s} {median(times) * 1e9:5.0f} ns")


def engine_constant() -> None:
    """Print what a batch of calls costs beyond its calls, by operator and batch size."""
    framework = find_framework("mxnet")
    framework.load(1)
    device = framework.device("cpu")
    for label, make in operators(framework).items():
        print(f"  {label}: {constants(device, make())}")


def operators(framework: object) -> dict[str, Callable[[], Step]]:
    """Return MXNet calls from 10 us to 3 ms."""
    nd = framework.mxnet.nd  # type: ignore[attr-defined] # MXNet's own module

    def call(name: str, size: int) -> Step:
        data = nd.random.normal(shape=(size, size))
        return partial(getattr(nd, name), data)

    cases = (("exp", 16), ("exp", 256), ("softmax", 1024), ("exp", 1024))
    return {f"{name} {size}x{size}": partial(call, name, size) for name, size in cases}


def constants(device: Device, step: Step) -> str:
    """Return the constant of each batch size in microseconds, interleaved over 25 rounds."""
    once = device.time(repeat(step, 8)) / 8
    sizes = [size for size in BATCHES if size * once < LONGEST]
    times: dict[int, list[float]] = {size: [] for size in sizes}
    for _ in range(25):
        for size in sizes:
            times[size].append(device.time(repeat(step, size)))
    largest = sizes[-1]
    rate = median(times[largest]) / largest
    found = [f"{size}: {(median(times[size]) - size * rate) * 1e6:.0f}" for size in sizes[:-1]]
    return f"{rate * 1e6:.1f} us a call; us beyond that, by batch size: {', '.join(found)}"


def engine_spread() -> None:
    """Print how samples of one MXNet operator spread, by batch size."""
    framework = find_framework("mxnet")
    device = framework.device("cpu")
    step = operators(framework)["exp 16x16"]()
    for size in (100, 400, 1600):
        summary = summarize([device.time(repeat(step, size)) / size for _ in range(60)])
        quartiles = summary.iqr / summary.median
        print(f"  {size:5d} calls: median {summary.median * 1e6:.2f} us, iqr {quartiles:.1%}")


def resuming() -> None:
    """Print how much calls in place take longer that come first after something else."""
    framework = find_framework("pytorch")
    framework.load(1)
    found: dict[str, list[list[float]]] = {}
    for _ in range(TURNS):
        for at, inputs in enumerate((1, 2)):
            for name, error in errors_of_first_calls(framework, inputs).items():
                found.setdefault(name, [[], []])[at].append(error)
    for name, (one, two) in found.items():
        print(f"  {name:42s} {median(one):6.1%} {median(two):6.1%}")


def errors_of_first_calls(framework: Framework, inputs: int) -> dict[str, float]:
    """Return by what came before how far a first call is off one in a row, on tensors of its own.

    Of a product with a number, or of a sum of two tensors.
    """
    torch = framework.torch  # type: ignore[attr-defined] # PyTorch's own module
    pristine, copy, other = torch.ones(256, 256), torch.ones(256, 256), torch.zeros(256, 256)
    if inputs == 1:
        call = partial(torch.Tensor.mul_, copy, other=1.0)
        small = partial(torch.Tensor.mul_, torch.ones(4, 4), other=1.0)
    else:
        call = partial(torch.Tensor.add_, copy, other)
        small = partial(torch.Tensor.add_, torch.ones(4, 4), torch.zeros(4, 4))
    restore, device = partial(copy.copy_, pristine), Device()
    reads = [lines(framework.span(tensor)).max for tensor in (other, copy)[2 - inputs :]]
    timed = partial(device.time, (small,) * RESUMED)
    before: dict[str, tuple[Step, ...]] = {
        "nothing": (),
        "restored": (restore,),
        "restored, called, restored again": (restore, call, restore),
        "restored, a call of a few elements": (restore, small),
        "restored, read, calls of a few elements": (restore, *reads, timed),
        "other Python code": (partial(sorted, range(2000)),),
    }
    in_a_row = median(device.time(repeat(call, 64)) / 64 for _ in range(3))
    return {
        name: median(first(device, call, steps) for _ in range(SAMPLES)) / in_a_row - 1
        for name, steps in before.items()
    }


def first(device: Device, call: Step, before: Sequence[Step]) -> float:
    """Return the seconds of a call after others."""
    for step in before:
        step()
    return device.time((call,))


if __name__ == "__main__":
    print(platform.platform())
    print("cost of one iteration of the timed loop:")
    loop_costs()
    print("MXNet's engine, constant of a batch:")
    engine_constant()
    print("MXNet's engine, spread of 60 samples:")
    engine_spread()
    print("mul_ and add_ of 256x256, the first call after, off one of 64 in a row:")
    with without_collector():
        resuming()
