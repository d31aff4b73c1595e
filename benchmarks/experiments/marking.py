"""E11: does the probe notice a neighbor whose schedule is known, and what bias is left?"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from math import expm1
from statistics import mean, median
from time import perf_counter_ns
from typing import TYPE_CHECKING

from experiments.finding import Figure, Finding, percent
from experiments.neighbor import WINDOW, busy, noisy_neighbor
from experiments.streams import select
from opperf.comparing.arms.arm import parse_arm
from opperf.comparing.pairs.session import Session
from opperf.measuring.worker.handle import Limits

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from opperf.comparing.pairs.blocks import Block
    from opperf.comparing.pairs.job import Job
    from opperf.comparing.pairs.process import ArmProcess
    from opperf.planning.task import Place

METHOD = """
A process on the measuring core computes in 30 % of windows of 50 ms, by a coin that is known
afterwards. A pair is disturbed if such a window begins, ends or lies within it, by the clock that
all processes share. Recall is the share of those that were marked; false marks are those of the
others, less what is marked without the neighbor. The bias is that of equal arms' ratios.
"""
TEXT = "name in (Add, Exp, Softmax, Sum, Dot, ReLU) and direction=forward"
SEED = 7


@dataclass(kw_only=True)
class Watched(Session):
    """A session that remembers when each block began and ended."""

    spans: list[tuple[str, int, int]] = field(default_factory=list)

    @contextmanager
    def processes(self, place: Place) -> Iterator[dict[str, ArmProcess]]:
        """Start both arms as ever; take the time round each block."""
        with super().processes(place) as processes:
            for process in processes.values():
                process.block = self.timed(process)  # type: ignore[method-assign]
            yield processes

    def timed(self, process: ArmProcess) -> object:
        """Return the process's own way to take a block, with its span kept."""
        block = process.block

        def take(*given: object) -> Block:
            began = perf_counter_ns()
            found = block(*given)  # type: ignore[arg-type]
            self.spans.append((process.name, began, perf_counter_ns()))
            return found

        return take


def run(work: Path, *, quick: bool) -> Finding:
    """Measure with and without the neighbor."""
    jobs = select(TEXT, ("small",))
    sessions = 1 if quick else 4
    calm = [share for number in range(sessions) for share in marks(work, jobs, number)[1]]
    with noisy_neighbor(SEED):
        found = [marks(work, jobs, number) for number in range(sessions)]
    recall = mean([share for hits, _, _ in found for share in hits] or [0.0])
    others = mean([share for _, rest, _ in found for share in rest] or [0.0])
    bias = expm1(median([ratio for _, _, ratios in found for ratio in ratios]))
    false = max(others - (mean(calm) if calm else 0.0), 0.0)
    figures = [
        Figure(what="disturbed pairs that were marked", figure=percent(recall, 1),
               target=">= 95 %", met=recall >= 0.95),
        Figure(what="false marks above those without the neighbor", figure=percent(false, 1),
               target="<= 2 %", met=false <= 0.02),
        Figure(what="bias left", figure=percent(bias), target="<= 0.5 %", met=abs(bias) <= 0.005),
    ]  # fmt: skip
    notes = [f"marked without the neighbor: {percent(mean(calm) if calm else 0.0, 1)}"]
    return Finding(
        name="E11", title="A neighbor's schedule", method=METHOD, figures=figures, notes=notes,
        circumstances={"quick": quick},
    )  # fmt: skip


def marks(work: Path, jobs: list[Job], number: int) -> tuple[list[int], list[int], list[float]]:
    """Return whether each disturbed and each other pair was marked, and the sessions' ratios."""
    here = parse_arm(".")
    hits: list[int] = []
    rest: list[int] = []
    ratios: list[float] = []
    session = Watched(
        number=number + 1, purpose="comparison", run_id="E11", arms={"a": here, "b": here},
        limits=Limits(), folder=work, plans={},
    )  # fmt: skip
    for pair in session.measure(jobs):
        if pair.ratio is None:
            continue
        ratios.append(pair.ratio)
        for at, (began, ended) in enumerate(spans_of(session.spans)):
            (hits if disturbed(began, ended) else rest).append(int(at in set(pair.marked)))
        session.spans.clear()
    return hits, rest, ratios


def spans_of(spans: list[tuple[str, int, int]]) -> list[tuple[int, int]]:
    """Return when each pair of adjacent blocks began and ended."""
    return [(spans[at][1], spans[at + 1][2]) for at in range(0, len(spans) - 1, 2)]


def disturbed(began: int, ended: int) -> bool:
    """Return whether the neighbor computed in any window of this time."""
    return any(busy(number, SEED) for number in range(began // WINDOW, ended // WINDOW + 1))
