"""The child of one arm, started as `opperf.measuring.children.timing` is.

It does what it is told step by step and otherwise sleeps on its pipe, for the other arm is being
measured then: `open` an operator on arrays that the parent has drawn, make a row of it `ready`,
take a `block` of so many iterations or `probe` for another metric than the time, and `check` once
more that what it computes is right. Where the parent cannot know what to draw, it asks to
`describe` that first.
"""

from __future__ import annotations

from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

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
from opperf.measuring.children.arm_subject import OperatorSubject
from opperf.measuring.children.timing import serve
from opperf.measuring.probes import probe_of
from opperf.measuring.probes.probe import FreshProbe

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.frameworks.framework import Framework
    from opperf.core.frameworks.workload import Work
    from opperf.core.timing.measure import Samples
    from opperf.core.timing.metric import Metric
    from opperf.measuring.children.arm_subject import ArmSubject
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
    """The program in the child of one arm: what is open, and its row that is ready.

    The child of an arm that measures other than operators says how that is opened.
    """

    subject: ArmSubject | None = None
    work: Work | None = None
    samples: Samples | None = None
    call: float = 0.0
    row: Row | None = None
    placement: ExitStack = field(default_factory=ExitStack)

    def __call__(self, message: Mapping[str, Any], framework: Framework, answer: Answer) -> None:
        """Do what a message asks for, and answer; whatever a framework raises is an answer too."""
        try:
            if message["do"] == "describe":
                self.open(message, framework)
                answer("described", tensors=self.opened.tensors())
            elif message["do"] == "open":
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
            dtype = self.subject.dtype if self.subject else ""
            framework.discard_errors()
            status, reason = self.ending(error, framework, dtype)
            answer("failed", status=status, reason=reason)

    def ending(self, error: Exception, framework: Framework, dtype: str) -> tuple[str, str]:
        """Return the status and the reason of what was raised."""
        return classify(error, framework, dtype)

    def open(self, message: Mapping[str, Any], framework: Framework) -> None:
        """Take what a message names; the last one's tensors go first."""
        self.placement.close()
        self.subject = self.work = None
        self.subject = self.subject_of(message, framework)

    def subject_of(self, message: Mapping[str, Any], framework: Framework) -> ArmSubject:
        """Return what a message names, on its framework."""
        return OperatorSubject.open(message, framework)

    @property
    def opened(self) -> ArmSubject:
        """What is open.

        Raises:
            WorkerError: nothing is.
        """
        if self.subject is None:
            raise WorkerError("no operator is open")
        return self.subject

    def make_ready(self, message: Mapping[str, Any], framework: Framework) -> Plan:
        """Check a row where asked to, warm it up, and return how a block of it is taken."""
        self.placement.close()
        self.work = None
        subject, row = self.opened, (message["variant"], message["direction"])
        if message["check"]:
            check(subject, row, message["outputs"])
        else:
            subject.note(row)
        work = framework.tune(prepare_work(subject, row))
        self.placement.enter_context(holes_filled())
        plan: Plan = warm(work, message["plan"])
        self.work, self.call, self.row = work, plan["call"], row
        self.samples = None
        return plan

    def probe(self, name: str, row: Row) -> Metric | None:
        """Return a metric of a row: of one that is ready, or where nothing is timed of any."""
        probe, subject = probe_of(name), self.opened
        if isinstance(probe, FreshProbe):
            self.row = row
            found = subject.weigh(probe, row)
            return next((metric for metric in found if metric.name == name), None)
        if self.work is None:
            raise WorkerError("no row is ready")
        if self.samples is None:
            self.samples = measure(self.work, WARMING, first_call=self.call)
        return probe.measure(self.work, self.samples, subject.settings)

    def check_again(self) -> None:
        """Refuse a row that has turned wrong while its blocks were taken, or was wrong all along.

        Raises:
            WrongResultError: says what is wrong.
        """
        if self.row is None:
            raise WorkerError("no row is ready")
        if self.work is None:  # what is weighed is not called before
            check(self.opened, self.row, None)
        elif fault := self.opened.fault_after(self.row):
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


def check(subject: ArmSubject, row: Row, outputs: str | None) -> None:
    """Refuse a row that computes something else than the reference; keep what it yields.

    Raises:
        WrongResultError: says what is wrong.
    """
    if fault := subject.fault(row):
        raise WrongResultError(fault)
    if outputs:
        found = subject.outputs(row)
        with suppress(OSError):  # a full disk costs the comparison of the arms, not the times
            save_arrays(Path(outputs), {f"{at}": output for at, output in enumerate(found)})


def prepare_work(subject: ArmSubject, row: Row) -> Work:
    """Return the work of a row, in samples long enough for a block."""
    work = subject.work(row)
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
