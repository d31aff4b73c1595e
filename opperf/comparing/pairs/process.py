"""One arm in one session: its process, and what it is told step by step."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from opperf.comparing.pairs.blocks import Block
from opperf.core.errors import LoadingError, UnsupportedError, WorkerError
from opperf.core.timing.metric import metric_from
from opperf.measuring.isolation import outcome_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from opperf.comparing.pairs.job import Job
    from opperf.core.timing.metric import Metric
    from opperf.measuring.worker.handle import Worker

Plan = dict[str, Any]
"""How a block is taken, as `opperf.measuring.children.arm.warm` has made it."""
SHORTEST = 1e-12
"""Seconds: what is left at least of a call that takes no longer than the harness."""


class Failed(Exception):  # noqa: N818 - how a row ended in one arm
    """A row that an arm cannot do, or died of."""

    def __init__(self, arm: str, status: str, reason: str) -> None:
        super().__init__(f"arm {arm}: {reason}")
        self.arm = arm
        self.status = status


@dataclass
class ArmProcess:
    """The child of one arm in one session, seen from the parent; one that has died is replaced.

    `opened` is the file of tensors that the process has taken, `served` all that it has taken.
    `compile` says that it compiles the operators that it opens.
    """

    name: str
    worker: Worker
    compile: bool = False
    opened: Path | None = None
    served: set[Path] = field(default_factory=set)

    def make_ready(self, job: Job, path: Path, plan: Plan | None, outputs: Path | None) -> Plan:
        """Open the job's operator and warm its row up; return how a block of it is taken.

        Args:
            job: what is measured.
            path: the file of the tensors.
            plan: how a block is taken, where an earlier session has settled it; without one the
                row is checked against the reference first.
            outputs: where to keep what the row yields.

        Raises:
            Failed: it cannot be done in this arm.
        """
        variant, direction = job.row
        ready: dict[str, object] = {
            "do": "ready",
            "variant": variant,
            "direction": direction,
            "check": plan is None,
            "outputs": str(outputs) if outputs else None,
            "plan": plan,
        }
        made: Plan = self.ask_of(job, path, ready)["plan"]
        return made

    def metric(self, job: Job, path: Path, name: str) -> Metric | None:
        """Return a metric of the job's row, None where there is no sense in it.

        Raises:
            Failed: it cannot be done in this arm.
        """
        variant, direction = job.row
        asked: dict[str, object] = {
            "do": "probe", "metric": name, "variant": variant, "direction": direction,
        }  # fmt: skip
        found = self.ask_of(job, path, asked)["found"]
        return metric_from(found) if found else None

    def ask_of(self, job: Job, path: Path, message: Mapping[str, object]) -> dict[str, Any]:
        """Return the answer to a message about a job, whose operator is opened first.

        A row that fails where other operators were before is tried once more in a fresh process:
        what ruined the process must not be laid on the next one.

        Raises:
            Failed: it cannot be done in this arm.
        """
        self.ensure()
        shared = bool(self.served - {path})
        try:
            return self.attempt(job, path, message)
        except Failed:
            if not shared:
                raise
        self.worker.stop()
        self.ensure()
        return self.attempt(job, path, message)

    def attempt(self, job: Job, path: Path, message: Mapping[str, object]) -> dict[str, Any]:
        """Ask about a job in the process that there is."""
        if self.opened != path:
            if not path.exists():
                self.draw(job, path)
            asked = {"compile": True} if self.compile else {}
            self.ask(do="open", task=asdict(job.task), arrays=str(path), **asked)
            self.opened = path
            self.served.add(path)
        extra = self.worker.limits.compile_timeout if job.compiles or self.compile else 0.0
        return self.ask(extra, **message)

    def draw(self, job: Job, path: Path) -> None:
        """Draw a job's tensors, as this arm describes them where that takes the framework.

        Raises:
            Failed: it cannot, or no such tensor is made.
            StorageError: the disk is full.
        """
        tensors = []
        if job.is_described:
            tensors = self.ask(do="describe", task=asdict(job.task))["tensors"]
        try:
            job.draw(path, tensors)
        except UnsupportedError as error:
            raise Failed(self.name, "unsupported", str(error)) from error

    def block(self, plan: Plan, stretch: float = 1.0) -> Block:
        """Take a block and return it, net of the harness's own seconds.

        `stretch` multiplies the iterations without changing the divisor; it simulates a slower arm.

        Raises:
            Failed: the arm died, or the framework raised.
        """
        iterations, short = (round(plan[name] * stretch) for name in ("iterations", "short"))
        answer = self.ask(do="block", iterations=iterations, short=short)
        seconds = answer["seconds"] / (plan["iterations"] - plan["short"]) - plan["loop_overhead"]
        return Block(
            seconds=max(seconds, SHORTEST),
            probe_times=tuple(answer["probe_times"]),
            switches=answer["switches"],
        )

    def check(self) -> None:
        """Compare once more what the row yields, after its blocks.

        Raises:
            Failed: it has turned wrong.
        """
        self.ask(do="check")

    def ensure(self) -> None:
        """Have a process that can measure.

        Raises:
            Failed: none can be started any more.
        """
        if self.worker.process is None or self.worker.process.poll() is not None:
            self.opened = None
            self.served.clear()
            try:
                self.worker.ensure()
            except LoadingError as error:
                raise Failed(self.name, error.status, str(error)) from error

    def ask(self, extra: float = 0.0, **message: object) -> dict[str, Any]:
        """Return the answer to a message; `extra`: seconds added to the time-out."""
        try:
            answer = self.worker.ask(message, extra)
        except WorkerError as ending:
            outcome = outcome_of(ending, self.worker)
            self.worker.stop()
            raise Failed(self.name, outcome.status, outcome.reason or outcome.status) from ending
        if answer["event"] == "failed":
            raise Failed(self.name, answer["status"], answer["reason"])
        return answer
