"""E6, agreement: opperf and torch.utils.benchmark on the same calls, in turns, in one process."""

from __future__ import annotations

import gc
from dataclasses import dataclass
from math import exp, log
from statistics import median
from typing import TYPE_CHECKING

from experiments.finding import Figure, Finding, Table, microseconds, percent
from experiments.timing import forward, pytorch, sample, step_of
from opperf.core.configuration.settings import Settings
from opperf.core.memory.heap import holes_filled
from opperf.declaring.registry import operators

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opperf.core.frameworks.framework import Framework
    from opperf.core.frameworks.workload import Work

OPERATORS = (
    "Add", "Multiply", "Divide", "Power", "Negative", "Greater", "Equal", "LogicalAnd",
    "LogicalNot", "Exp", "Log", "Sqrt", "Square", "Clip", "Sigmoid", "Tanh", "GELU", "Softplus",
    "ReLU", "LeakyReLU", "ELU", "Softmax", "LogSoftmax", "Sum", "Mean", "Max", "Norm", "CumSum",
    "BatchNorm", "LayerNorm", "InstanceNorm", "Dot", "BatchDot", "Dense", "Conv1D", "Conv2D",
    "DepthwiseConv2D", "ScaledDotProductAttention", "MaxPool2D", "AvgPool2D", "GlobalAvgPool2D",
    "Embedding", "Take", "Where", "Concat", "Tile", "Cast", "L2Loss", "TopK", "Sort",
)  # fmt: skip
"""Fifty that PyTorch computes by a callable of its own, from every kind of work."""
SIZES = ("small", "typical", "large")
SLOWEST = 0.3
"""Seconds of one call beyond which a case is left out: its rounds would outlast the others'."""
CLOSE, WIDER = 0.02, 0.03
LONG, STEADY = 10e-6, 0.01
"""Where agreement is asked for: calls of 10 us or more, a reference that repeats itself to 1 %."""

METHOD = """\
Each call is timed by opperf and by `torch.utils.benchmark.Timer.blocked_autorange` in turns, in one
process with one thread, for as long as each other. A case's figure is the median over its rounds of
the ratio of both medians. It counts where a call takes 10 us or more and the reference's own rounds
lie within 1 % of each other; below 10 us the reference includes its own loop, and what does not
repeat itself cannot be agreed with. All others are shown apart. A tool's spread is half the range
of its rounds."""


@dataclass(frozen=True, kw_only=True)
class Case:
    """One operator at one size: seconds a call, round by round, by either tool."""

    name: str
    ours: Sequence[float]
    theirs: Sequence[float]

    @property
    def gap(self) -> float:
        """The median logarithm of the ratio, ours to theirs, of adjacent rounds."""
        return median(log(a / b) for a, b in zip(self.ours, self.theirs, strict=True))

    @property
    def counts(self) -> bool:
        """Whether agreement is asked for."""
        return median(self.theirs) >= LONG and 2 * spread(self.theirs) <= STEADY


def spread(values: Sequence[float]) -> float:
    """Return half the range over the median."""
    return (max(values) - min(values)) / 2 / median(values)


def compare(name: str, work: Work, rounds: int, budget: float) -> Case | str:
    """Time a work with both tools in turns, or say why it is left out."""
    from torch.utils.benchmark import Timer

    settings = Settings(budget=budget, precision=1e-3)
    with holes_filled(), step_of(work) as step:  # one place for the outputs of both
        first = max(Timer("step()", globals={"step": step}).timeit(1).median, 1e-9)
        if first > SLOWEST:
            return f"{name}: a call takes {first:.2f} s"
        timer = Timer("step()", globals={"step": step}, num_threads=1)
        ours, theirs = [], []
        for number in range(rounds):
            for own in (True, False) if number % 2 else (False, True):
                if own:
                    ours.append(sample(work, settings)[1].median)
                else:
                    theirs.append(timer.blocked_autorange(min_run_time=budget).median)
    return Case(name=name, ours=ours, theirs=theirs)


def cases(framework: Framework, quick: bool) -> Iterator[Case | str]:
    """Yield each operator at each size, the sizes after one another."""
    declared = operators()
    for size in SIZES[:2] if quick else SIZES:
        for name in OPERATORS[::5] if quick else OPERATORS:
            label = f"{name}, {size}"
            operator = declared[name]({"run_backward": False}, size=size)
            try:
                work = forward(operator, framework, Settings())
                yield compare(label, work, 3 if quick else 4, 0.1 if quick else 0.25)
            except Exception as error:  # noqa: BLE001 - a case that fails must not lose the others
                yield f"{label}: {type(error).__name__}: {str(error).splitlines()[0][:80]}"
            gc.collect()


def share_within(found: Sequence[Case], most: float) -> float:
    """Return the share of cases whose gap is this small."""
    return sum(abs(case.gap) <= log(1 + most) for case in found) / max(len(found), 1)


def describe(found: Sequence[Case], label: str) -> list[Figure]:
    """Return what a group of cases has to show, without a target."""
    if not found:
        return [Figure(what=label, figure="none")]
    gap = median(case.gap for case in found)
    own, reference = (
        median(spread(getattr(case, tool)) for case in found) for tool in ("ours", "theirs")
    )
    return [
        Figure(what=f"{label}: how many", figure=str(len(found))),
        Figure(what=f"{label}: median ratio less one", figure=percent(exp(gap) - 1)),
        Figure(what=f"{label}: share within 2 %", figure=percent(share_within(found, CLOSE), 0)),
        Figure(what=f"{label}: share within 3 %", figure=percent(share_within(found, WIDER), 0)),
        Figure(what=f"{label}: spread of opperf's rounds, median", figure=percent(own)),
        Figure(
            what=f"{label}: spread of the reference's rounds, median", figure=percent(reference)
        ),
    ]


def judge(found: Sequence[Case]) -> Figure:
    """Return the largest gap of the cases that count, beside its target."""
    worst = max(found, key=lambda case: abs(case.gap), default=None)
    shown = f"{percent(exp(worst.gap) - 1)} ({worst.name})" if worst else "no case counts"
    return Figure(
        what="largest gap where it counts",
        figure=shown,
        target="<= 2 %",
        met=worst is not None and abs(worst.gap) <= log(1 + CLOSE),
    )


def row(case: Case) -> list[str]:
    """Return a case as a line of the table."""
    return [
        case.name,
        microseconds(median(case.ours)),
        microseconds(median(case.theirs)),
        percent(exp(case.gap) - 1),
        percent(spread(case.ours)),
        percent(spread(case.theirs)),
    ]


HEADERS = ("case", "opperf", "reference", "gap", "spread of opperf", "spread of the reference")


def run(quick: bool) -> Finding:
    """Compare all cases."""
    framework = pytorch()
    found: list[Case] = []
    left_out: list[str] = []
    for case in cases(framework, quick):
        (left_out if isinstance(case, str) else found).append(case)  # type: ignore[arg-type]
    counting = [case for case in found if case.counts]
    others = [case for case in found if not case.counts]
    short = [case for case in others if median(case.theirs) < LONG]
    unsteady = [case for case in others if median(case.theirs) >= LONG]
    return Finding(
        name="E6",
        title="Agreement with torch.utils.benchmark",
        method=METHOD,
        figures=[
            judge(counting),
            *describe(counting, "where it counts"),
            *describe(unsteady, "apart, reference unsteady"),
            *describe(short, "apart, below 10 us"),
        ],
        tables=[
            Table(caption="Where it counts", headers=HEADERS, rows=[row(c) for c in counting]),
            Table(caption="Apart", headers=HEADERS, rows=[row(c) for c in others]),
        ],
        notes=[f"left out: {reason}" for reason in left_out],
    )
