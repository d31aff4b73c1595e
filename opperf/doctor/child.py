"""The child that looks for peaks, started as `opperf.measuring.children.timing` is."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import partial
from itertools import repeat
from typing import TYPE_CHECKING, Any

from opperf.core.configuration.settings import Settings
from opperf.core.frameworks.workload import Work, no_op_like
from opperf.core.roofline.peaks import Bandwidth, Product
from opperf.core.tensors.tensor import ITEMSIZE
from opperf.core.timing.measure import measure, time_first_call
from opperf.doctor.ways import MOVES, PRODUCTS, bind
from opperf.measuring.children.timing import serve

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from opperf.core.frameworks.device import Step
    from opperf.core.frameworks.framework import Framework
    from opperf.doctor.ways import Way
    from opperf.measuring.children.timing import Answer

MOVED = "float32"
SETTINGS = Settings(precision=0.02, budget=0.03, warmup=1)
ORDERS = (256, 512, 1024, 2048, 4096)
LONGEST_PRODUCT = 0.15
"""Seconds that one product may be expected to take."""
ROUNDS = 2
"""A neighbor that takes the processor for a while must not lower a peak: each is tried again."""


@dataclass(frozen=True, kw_only=True)
class Survey:
    """Working sets in bytes to move, orders of square matrices to multiply, and where."""

    sizes: tuple[int, ...]
    orders: tuple[int, ...] = ORDERS
    device: str = "cpu"
    threads: int = 1

    def to_json(self) -> str:
        """Return it as one line."""
        return json.dumps(asdict(self))


def main(arguments: Sequence[str]) -> None:
    """Look for peaks until told no more."""
    serve(arguments, survey)


def survey(message: Mapping[str, Any], framework: Framework, answer: Answer) -> None:
    """Answer with every rate as it is found, and with the reason where one cannot be."""
    device, threads = str(message["device"]), int(message["threads"])
    for _ in range(ROUNDS):
        for nbytes in message["sizes"]:
            for way in MOVES.get(framework.name, ()):
                rate = attempt(answer, way, partial(move, way, framework, int(nbytes), device))
                if rate:
                    found = Bandwidth(
                        device=device, threads=threads, nbytes=int(nbytes),
                        kind=way.kind, way=way.name, rate=rate,
                    )  # fmt: skip
                    answer("bandwidth", found=asdict(found))
        for way, dtype in products(framework):
            call = partial(multiply, way, framework, dtype, device, message["orders"])
            if rate := attempt(answer, way, call):
                best = Product(device=device, threads=threads, dtype=dtype, way=way.name, rate=rate)
                answer("product", found=asdict(best))
        answer("round")
    answer("done", idle=0, changed=[])


def products(framework: Framework) -> Iterator[tuple[Way, str]]:
    """Yield the framework's product in each dtype that it may have."""
    if framework.name in PRODUCTS:
        way, dtypes = PRODUCTS[framework.name]
        yield from ((way, dtype) for dtype in dtypes)


def attempt(answer: Answer, way: Way, find: partial[float]) -> float | None:
    """Return a rate, or answer why there is none: whatever a framework raises is a reason."""
    try:
        return find()
    except Exception as error:  # noqa: BLE001 - see above
        lines = str(error).splitlines() or [type(error).__name__]
        answer("rateless", way=way.name, reason=lines[0])
        return None


def move(way: Way, framework: Framework, nbytes: int, device: str) -> float:
    """Return the B/s of a way over a working set of about so many bytes."""
    length = max(nbytes // way.traffic // ITEMSIZE[MOVED], 1)
    step = bind(way, framework, (length,), MOVED, device)
    return length * way.traffic * ITEMSIZE[MOVED] / fastest(step, framework, device)


def multiply(
    way: Way, framework: Framework, dtype: str, device: str, orders: tuple[int, ...]
) -> float:
    """Return the FLOP/s of the best order of matrices whose product does not take too long."""
    best = 0.0
    for order in orders:
        step = bind(way, framework, (order, order), dtype, device)
        seconds = fastest(step, framework, device)
        best = max(best, 2 * order**3 / seconds)
        if seconds * 8 > LONGEST_PRODUCT:
            break
    return best


def fastest(step: Step, framework: Framework, device: str) -> float:
    """Return the seconds of the fastest sample: a peak is the best that was ever reached.

    Of slopes the median, as their noise goes both ways.
    """
    work = Work(
        device=framework.device(device),
        steps=partial(repeat, step),
        no_op=no_op_like(step),
        context=framework.inference,
    )
    first_call = time_first_call(work)
    samples = measure(framework.tune(work), SETTINGS, first_call=first_call)
    times = sorted(samples.times())
    return times[len(times) // 2 if samples.method == "slope" else 0]
