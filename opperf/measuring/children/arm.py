"""The child of one arm, started as `opperf.measuring.children.timing` is.

It does what it is told step by step and otherwise sleeps on its pipe, for the other arm is being
measured then: `open` an operator on arrays that the parent has drawn, make a row of it `ready`,
take a `block` of so many iterations or `probe` for another metric than the time, and `check` once
more that what it computes is right.
"""

from __future__ import annotations

from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np

from opperf.core.configuration.settings import Settings
from opperf.core.errors import OpperfError, WorkerError
from opperf.core.frameworks.failure import classify
from opperf.core.memory.heap import holes_filled
from opperf.core.memory.layout import shift_layout
from opperf.core.tensors.arrays import save_arrays
from opperf.core.timing.measure import measure, without_collector
from opperf.core.timing.noise import increase, probe_time, usage
from opperf.core.timing.sampler import OVERHEAD_SAMPLES, Sampler
from opperf.core.timing.warming import calibrate, warm_up
from opperf.measuring.attempt import Attempt
from opperf.measuring.children.timing import serve
from opperf.measuring.probes import probe_of
from opperf.measuring.probes.probe import FreshProbe
from opperf.planning.task import operator_of, task_from

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.frameworks.framework import Framework
    from opperf.core.frameworks.variant import Variant
    from opperf.core.frameworks.workload import Work
    from opperf.core.timing.measure import Samples
    from opperf.core.timing.metric import Metric
    from opperf.measuring.children.timing import Answer
    from opperf.planning.task import Row

INTERVAL = 2e-3
"""Seconds of a block at least: ten times those of a sample, for two processes share the core and
each finds the caches as the other one left them."""
WASH_IN, WASH_IN_CALLS, TOO_SLOW = 300e-6, 2, 5e-3
"""Seconds and calls before each block; none where a call takes longer than the last one."""
WARMING = Settings(budget=0.1)
Plan = dict[str, Any]


def main(arguments: Sequence[str]) -> None:
    """Do what the parent asks for, step by step, in a layout of memory that it has chosen."""
    shift_layout()
    serve(arguments, ArmServer())


class WrongResultError(OpperfError):
    """The row computes something else than the reference."""


@dataclass
class ArmServer:
    """The program in the child of one arm: the operator that is open, and its row that is ready."""

    attempt: Attempt | None = None
    work: Work | None = None
    samples: Samples | None = None
    call: float = 0.0
    row: Row | None = None
    placement: ExitStack = field(default_factory=ExitStack)

    def __call__(self, message: Mapping[str, Any], framework: Framework, answer: Answer) -> None:
        """Do what a message asks for, and answer; whatever a framework raises is an answer too."""
        try:
            if message["do"] == "open":
                self.open(message, framework)
                answer("opened")
            elif message["do"] == "ready":
                answer("ready", plan=self.make_ready(message, framework))
            elif message["do"] == "probe":
                metric = self.probe(message["metric"], (message["variant"], message["direction"]))
                answer("metric", found=metric and asdict(metric))
            elif message["do"] == "check":
                self.check_again()
                answer("checked")
            else:
                answer("block", **self.block(message))
        except WrongResultError as error:
            answer("failed", status="wrong_result", reason=str(error))
        except Exception as error:  # noqa: BLE001 - whatever a framework raises is a row
            dtype = self.attempt.operator.dtype if self.attempt else ""
            framework.discard_errors()
            status, reason = classify(error, framework, dtype)
            answer("failed", status=status, reason=reason)

    def open(self, message: Mapping[str, Any], framework: Framework) -> None:
        """Take an operator and its arrays; the last one's tensors go first."""
        self.placement.close()
        self.attempt = self.work = None
        task = task_from(message["task"])
        operator = operator_of(task)
        attempt = Attempt(operator, framework, task.device, task.settings, obey_limitations=False)
        attempt.expectation.use(*load(Path(message["arrays"])))
        self.attempt = attempt

    def make_ready(self, message: Mapping[str, Any], framework: Framework) -> Plan:
        """Check a row where asked to, warm it up, and return how a block of it is taken."""
        self.placement.close()
        self.work = None
        if self.attempt is None:
            raise WorkerError("no operator is open")
        attempt, variant, direction = self.attempt, message["variant"], message["direction"]
        if message["check"]:
            check(attempt, variant, direction, message["outputs"])
        else:
            attempt.verification.note(variant, direction)
        work = framework.tune(prepare_work(attempt, variant, direction))
        self.placement.enter_context(holes_filled())
        plan: Plan = warm(work, message["plan"])
        self.work, self.call, self.row = work, plan["call"], (variant, direction)
        self.samples = None
        return plan

    def probe(self, name: str, row: Row) -> Metric | None:
        """Return a metric of a row: of one that is ready, or where nothing is timed of any."""
        probe, attempt = probe_of(name), self.attempt
        if attempt is None:
            raise WorkerError("no operator is open")
        if isinstance(probe, FreshProbe):
            self.row = row
            found = probe.measure(attempt.workload(row[0]), row[1])
            return next((metric for metric in found if metric.name == name), None)
        if self.work is None:
            raise WorkerError("no row is ready")
        if self.samples is None:
            self.samples = measure(self.work, WARMING, first_call=self.call)
        return probe.measure(self.work, self.samples, attempt.settings)

    def check_again(self) -> None:
        """Refuse a row that has turned wrong while its blocks were taken, or was wrong all along.

        Raises:
            WrongResultError: says what is wrong.
        """
        if self.attempt is None or self.row is None:
            raise WorkerError("no row is ready")
        if self.work is None:  # what is weighed is not called before
            check(self.attempt, *self.row, None)
        elif fault := self.attempt.verification.compare_again(*self.row).fault:
            raise WrongResultError(f"right at first, wrong after its blocks: {fault}")

    def block(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Warm up, take a sample between two probes, and return what it took."""
        work = self.work
        if work is None:
            raise WorkerError("no row is ready")
        sampler = Sampler(work, message["iterations"], message["short"])
        with without_collector(), work.context():
            if self.call < TOO_SLOW:
                work.time(min(max(int(WASH_IN / self.call), WASH_IN_CALLS), work.limit))
            clock = work.device.clock
            switches, _ = usage()
            before = probe_time(clock)
            seconds = sampler.sample()
            after = probe_time(clock)
            later, _ = usage()
        return {
            "seconds": seconds,
            "probe_times": (before, after),
            "switches": increase(later, switches),
        }


def load(path: Path) -> tuple[dict[str, Any], list[Any]]:
    """Return the inputs by name and the gradients by each output, bit for bit as they were sent."""
    with np.load(path, allow_pickle=False) as stored:
        names = [name for name in stored.files if name.startswith("input:")]
        cotangents = [stored[name] for name in stored.files if name.startswith("cotangent:")]
        return {name.partition(":")[2]: stored[name] for name in names}, cotangents


def check(attempt: Attempt, variant: Variant, direction: str, outputs: str | None) -> None:
    """Refuse a row that computes something else than the reference; keep what it yields.

    Raises:
        WrongResultError: says what is wrong.
    """
    if fault := attempt.compare(variant, direction).fault:
        raise WrongResultError(fault)
    if outputs:
        attempt.framework.seed(attempt.settings.seed)
        found = attempt.workload(variant).outputs(direction != "forward")
        with suppress(OSError):  # a full disk costs the comparison of the arms, not the times
            save_arrays(Path(outputs), {f"{at}": output for at, output in enumerate(found)})


def prepare_work(attempt: Attempt, variant: Variant, direction: str) -> Work:
    """Return the work of a row, in samples long enough for a block."""
    work = attempt.workload(variant).works[direction]()
    interval = max(work.device.interval, INTERVAL)
    return replace(work, device=replace(work.device, interval=interval))


def warm(work: Work, plan: Plan | None) -> Plan:
    """Warm up, and return how a block is taken: as `plan` has it, which a session before made.

    It holds the iterations of a block and, of a slope, those of its short end, about the seconds of
    a call, those per iteration that are the harness's own, and the most iterations there can be.
    """
    with without_collector(), work.context():
        began = work.device.clock()
        if plan:
            work.time(min(plan["iterations"], work.limit))
            warm_up(work, WARMING, plan["iterations"], plan["call"], began)
            return plan
        iterations, call = calibrate(work)
        warm_up(work, WARMING, iterations, call, began)
        sampler = Sampler.choose(work, iterations, call, WARMING)
        return {
            "iterations": sampler.iterations,
            "short": sampler.short,
            "call": call,
            "loop_overhead": median(sampler.loop_overhead() for _ in range(OVERHEAD_SAMPLES)),
            "limit": work.limit,
        }
