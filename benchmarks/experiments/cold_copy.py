"""E10, cold caches: a copy whose operands come from memory moves no more than memory gives."""

from __future__ import annotations

import gc
from dataclasses import dataclass, fields
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Any

from experiments.finding import Figure, Finding, Table, microseconds, percent
from experiments.timing import pytorch, sample
from opperf.core.configuration.settings import Settings
from opperf.core.memory.available import available_memory
from opperf.core.memory.heap import holes_filled
from opperf.core.units import format_bytes
from opperf.measuring.attempt import Attempt
from opperf.operators.arithmetic.arithmetic import Negative

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.frameworks.framework import Framework

SIZES = (*(64 * 1024 * 4**power for power in range(7)), 10**9)
"""Bytes of the input: 64 KiB to 256 MiB, and 1 GB, below the 1 GiB from which glibc asks the system
for the output each time whatever it is told."""
PRECISION = 0.005
PLATEAU = 256 * 2**20
"""Bytes of an input for which hot is cold, whatever this machine's cache."""
NEAR = 0.05
ITEM, COPIES = 4, 5
SHARE, CALLS = 4, 100
"""The free memory is used to one part in so many; input and output have to fit twice."""

METHOD = """\
The negative of a float32 tensor (a copy that PyTorch computes in one pass; it reads and writes each
byte once) is measured through the package with `Settings(cache="cold")` and hot, from 64 KiB to 1
GB of input. The plateau is the hot rate of a 256 MiB input, which no cache here holds, measured
beside each of them, for neighbors on the memory come and go; the peak is the best of many plain
`copy_` calls between such tensors, timed without opperf. Cold rates must lie within 5 % of the
plateau and never above the peak. What a call costs beside moving its bytes belongs to its time, so
small tensors stay below the plateau: sizes that the plateau moves in less than 100 times what the
call takes for a single element are shown apart."""


@dataclass(frozen=True, kw_only=True)
class Rates:
    """Bytes a second of one size, input and output together, round by round.

    `plateau` and `peak` are those of large tensors, taken beside it.
    """

    size: int
    cold: Sequence[float]
    hot: Sequence[float]
    plateau: Sequence[float]
    peak: Sequence[float]
    warnings: Sequence[str]

    @property
    def gap(self) -> float:
        """How far the cold rate is off the plateau, as a fraction."""
        return median(a / b for a, b in zip(self.cold, self.plateau, strict=True)) - 1


def is_possible() -> bool:
    """Return whether the package can keep caches cold."""
    return "cache" in {field.name for field in fields(Settings)}


def rate(framework: Framework, size: int, settings: Settings) -> tuple[float, list[str]]:
    """Return the bytes a second of one measurement, and its warnings about the cache."""
    operator = Negative({"data": (size // ITEM,), "run_backward": False})
    workload = Attempt(operator, framework, "cpu", settings).workload("only")
    with holes_filled():
        _, summary = sample(workload.works["forward"](), settings)
    codes = [warning.code for warning in workload.warnings]
    return 2 * size / summary.median, codes


def rates(framework: Framework, size: int, rounds: int, budget: float) -> Rates:
    """Measure one size cold and hot, and large tensors beside it, in turns."""
    columns: dict[str, list[float]] = {name: [] for name in ("cold", "hot", "plateau", "peak")}
    codes: set[str] = set()
    for _ in range(rounds):
        for name, cache, bytes_ in (
            ("cold", "cold", size),
            ("plateau", "hot", PLATEAU),
            ("hot", "hot", size),
        ):
            options: dict[str, Any] = {"cache": cache, "budget": budget, "precision": PRECISION}
            found, warnings = rate(framework, bytes_, Settings(**options))
            columns[name].append(found)
            codes |= set(warnings)
            gc.collect()
        columns["peak"].append(peak(framework, PLATEAU, COPIES))
    return Rates(size=size, warnings=sorted(codes), **columns)


def peak(framework: Any, size: int, calls: int) -> float:
    """Return the best bytes a second of plain copies, without the package."""
    torch: Any = framework.torch
    source, target = torch.rand(size // ITEM), torch.empty(size // ITEM)
    best = 0.0
    for _ in range(calls):
        start = perf_counter()
        target.copy_(source)
        best = max(best, 2 * size / (perf_counter() - start))
    return best


def trimmed(sizes: Sequence[int], free: int | None) -> list[int]:
    """Return the sizes whose input and output fit into the share of the free memory, twice."""
    return [size for size in sizes if free is None or 4 * size <= free // SHARE]


def gigabytes(found: float) -> str:
    """Return bytes a second in GB a second."""
    return f"{found / 1e9:.2f} GB/s"


def row(found: Rates) -> list[str]:
    """Return a size as a line of the table."""
    return [
        format_bytes(found.size),
        microseconds(2 * found.size / median(found.cold)),
        *(gigabytes(median(values)) for values in (found.cold, found.plateau, found.hot)),
        percent(found.gap, 1),
        ", ".join(found.warnings) or "-",
    ]


def judge(found: Sequence[Rates], call: float) -> list[Figure]:
    """Return the figures beside their targets; `call` is the seconds of one without any bytes."""
    counting = [e for e in found if 2 * e.size / median(e.plateau) >= CALLS * call]
    apart = [f"{format_bytes(e.size)} {percent(e.gap, 1)}" for e in found if e not in counting]
    worst = max(counting or found, key=lambda entry: abs(entry.gap))
    fastest = max(rate for entry in found for rate in entry.cold)
    top = max(rate for entry in found for rate in entry.peak)
    return [
        Figure(
            what="cold, farthest from the plateau",
            figure=f"{percent(worst.gap, 1)} ({format_bytes(worst.size)})",
            target=f"within {percent(NEAR, 0)}",
            met=abs(worst.gap) <= NEAR,
        ),
        Figure(
            what="fastest cold rate over the peak",
            figure=percent(fastest / top, 1),
            target="<= 100 %",
            met=fastest <= top,
        ),
        Figure(
            what="plateau", figure=gigabytes(median(v for entry in found for v in entry.plateau))
        ),
        Figure(what="peak", figure=gigabytes(top)),
        Figure(what="a call on one element", figure=microseconds(call)),
        Figure(what="apart, too small", figure=", ".join(apart) or "none"),
    ]


def run(quick: bool) -> Finding:
    """Measure all sizes that fit, or say what the package lacks."""
    title = "Cold caches"
    if not is_possible():
        pending = "the package has no Settings.cache yet"
        return Finding(name="E10", title=title, method=METHOD, pending=pending)
    framework = pytorch()
    free = available_memory()
    sizes = trimmed(SIZES[:-2:2] if quick else SIZES, free)
    if PLATEAU not in trimmed([PLATEAU], free):
        pending = f"too little free memory: {format_bytes(free or 0)}"
        return Finding(name="E10", title=title, method=METHOD, pending=pending)
    found = [rates(framework, size, 1 if quick else 5, 0.3 if quick else 1.0) for size in sizes]
    call = 2 * ITEM / rate(framework, ITEM, Settings(precision=PRECISION))[0]
    left_out = [format_bytes(size) for size in SIZES if size not in sizes]
    headers = (
        "input",
        "a call, cold",
        "cold",
        "plateau",
        "hot",
        "cold off the plateau",
        "warnings",
    )
    return Finding(
        name="E10",
        title=title,
        method=METHOD,
        figures=judge(found, call),
        tables=[Table(caption="Rates", headers=headers, rows=[row(entry) for entry in found])],
        notes=[f"left out: {', '.join(left_out)}"] if left_out else [],
    )
