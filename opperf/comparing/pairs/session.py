"""One session: fresh processes for both arms, and the jobs one after the other in both."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from random import Random
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from msgspec import UNSET

from opperf.comparing.pairs.blocks import measure_pairs
from opperf.comparing.pairs.job import difference
from opperf.comparing.pairs.job_finding import JobFinding
from opperf.comparing.pairs.process import ArmProcess, Failed
from opperf.core.errors import UsageError
from opperf.core.memory.layout import layout_of
from opperf.core.results.pair import SCHEMA, SUBJECT_SCHEMA, Pair
from opperf.core.statistics.plausible import NO_TIME, is_time
from opperf.core.version import VERSION
from opperf.measuring.worker.handle import Worker
from opperf.measuring.worker.variables import PASSIVE

if TYPE_CHECKING:
    from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
    from pathlib import Path

    from opperf.comparing.arms.arm import ArmSpec
    from opperf.comparing.pairs.blocks import Pairs
    from opperf.comparing.pairs.job import Job
    from opperf.comparing.pairs.process import Plan
    from opperf.measuring.worker.handle import Limits
    from opperf.planning.task import Place


@dataclass(kw_only=True)
class Session:
    """What the processes of one session share.

    Args:
        number: which one it is: it settles the layout of memory, the order of jobs and all coins.
        purpose: comparison, control (both arms are A) or confirmation (B starts first).
        run_id: the run its records belong to.
        arms: the arms "a" and "b", with their interpreters.
        limits: each child's time and memory.
        folder: where the tensors lie that both arms get.
        plans: how the blocks of a job are taken, as its first session settled it; added to.
        stretch: how many times the iterations of arm A arm B makes; 1 but in experiments.

    """

    number: int
    purpose: str
    run_id: str
    arms: Mapping[str, ArmSpec]
    limits: Limits
    folder: Path
    plans: dict[str, Plan]
    stretch: float = 1.0
    environments: dict[str, Mapping[str, Any]] = field(default_factory=dict)

    def measure(self, jobs: Sequence[Job]) -> Generator[Pair]:
        """Yield the record of each job, in an order of this session's own.

        Raises:
            UsageError: an arm's framework does not load, or the disk is full.
        """
        coin = Random(f"{self.number} {self.purpose}")  # noqa: S311 - no secret
        for where in sorted({process_of(job) for job in jobs}):
            with self.processes(*where) as processes:
                for group in shuffle([job for job in jobs if process_of(job) == where], coin):
                    for job in group:
                        yield from self.records_of(job, processes, coin)

    def record_count(self, jobs: Sequence[Job]) -> int:
        """Return how many records jobs make."""
        return len(jobs)

    def records_of(
        self, job: Job, processes: Mapping[str, ArmProcess], coin: Random
    ) -> Iterator[Pair]:
        """Yield what is found of one row."""
        yield self.measure_job(job, processes, coin)

    @contextmanager
    def processes(self, place: Place, program: str) -> Iterator[dict[str, ArmProcess]]:
        """Start both arms at once, wait for them, and end them however this ends."""
        order = ("b", "a") if self.purpose == "confirmation" else ("a", "b")
        processes = {
            name: ArmProcess(name, self.worker(self.arms[name], place, program)) for name in order
        }
        try:
            for process in processes.values():
                process.worker.start()
            for name, process in processes.items():
                with naming(name, self.arms[name]):
                    process.worker.wait_until_ready()
                self.environments[name] = process.worker.environment
            yield processes
        finally:
            for process in processes.values():
                process.worker.close()

    def worker(self, arm: ArmSpec, place: Place, program: str) -> Worker:
        """Return a handle for one arm's process, which runs a module."""
        framework, device, threads = place
        return Worker(
            framework=framework,
            device=device,
            threads=threads,
            limits=self.limits,
            variables={**PASSIVE, **layout_of(self.number), **arm.variables},
            python=arm.python,
            module=program,
        )

    def measure_job(self, job: Job, processes: Mapping[str, ArmProcess], coin: Random) -> Pair:
        """Return the record of one row on the same tensors in both arms, whatever becomes of it."""
        found = JobFinding()
        tensors = self.folder / f"{job.inputs_key}.npz"
        self.take(job, processes, tensors, coin, found)
        if not job.is_kept:
            tensors.unlink(missing_ok=True)
        return self.record(job, found)

    def take(
        self,
        job: Job,
        processes: Mapping[str, ArmProcess],
        tensors: Path,
        coin: Random,
        found: JobFinding,
    ) -> None:
        """Take the blocks of a job in both arms, if it can be made ready in both."""
        plan = self.make_ready(job, processes, tensors, found)
        if plan is None:
            return
        stretches = {"a": 1.0, "b": self.stretch}
        arms = {
            name: partial(process.block, plan, stretches[name])
            for name, process in processes.items()
        }
        with found.noting():
            pairs = measure_pairs(arms, coin, perf_counter_ns)
            for process in processes.values():
                process.check()
            found.pairs = with_times(pairs, plan["loop_overhead"])

    def make_ready(
        self, job: Job, processes: Mapping[str, ArmProcess], tensors: Path, finding: JobFinding
    ) -> Plan | None:
        """Make the row ready in both arms; return how a block of it is taken, None where one fails.

        In a job's first session both keep what it yields. A failure is noted.
        """
        finding.plan = self.plans.get(job.key)
        made = {}
        for name, process in processes.items():
            outputs = None if finding.plan else self.outputs(name)
            with finding.noting():
                made[name] = process.make_ready(job, tensors, finding.plan, outputs)
        if len(made) < len(processes):
            return None
        if finding.plan is None:
            finding.plan = self.plans[job.key] = common_plan([*made.values()])
            finding.apart = difference(self.outputs("a"), self.outputs("b"))
        return finding.plan

    def outputs(self, name: str) -> Path:
        """Return where an arm keeps what a row yields."""
        return self.folder / f"outputs-{name}.npz"

    def record(self, job: Job, finding: JobFinding) -> Pair:
        """Return the record of what was found."""
        pairs = finding.pairs
        a_seconds, b_seconds = pairs.seconds() if pairs else (None, None)
        return Pair(
            result_id=uuid4().hex,
            run_id=self.run_id,
            session=self.number,
            purpose=self.purpose,
            started_at=finding.started_at,
            opperf_version=VERSION,
            operator=job.operator,
            inputs=job.inputs,
            attributes=job.attributes,
            a_status=finding.endings["a"],
            b_status=finding.endings["b"],
            reason="; ".join(finding.reasons) or None,
            plan=finding.plan,
            a_blocks=tuple(block.seconds for block in pairs.a) if pairs else (),
            b_blocks=tuple(block.seconds for block in pairs.b) if pairs else (),
            a_chirps=tuple(max(block.probe_times) for block in pairs.a) if pairs else (),
            b_chirps=tuple(max(block.probe_times) for block in pairs.b) if pairs else (),
            marked=tuple(pairs.marked()) if pairs else (),
            ratio=pairs.ratio() if pairs else None,
            a_seconds=a_seconds,
            b_seconds=b_seconds,
            disturbed=pairs.disturbed if pairs else False,
            outputs_difference=finding.apart,
            schema=SCHEMA if job.subject is UNSET else SUBJECT_SCHEMA,
            subject=job.subject,
        )


def process_of(job: Job) -> tuple[Place, str]:
    """Return where a job is measured, and by which program: each has its own processes."""
    return job.task.place, job.task.arm_program


@contextmanager
def naming(name: str, arm: ArmSpec) -> Iterator[None]:
    """Say which arm it is that does not load."""
    try:
        yield
    except UsageError as error:
        raise UsageError(f"arm {name} ({arm.text}): {error}") from error


def with_times(pairs: Pairs, loop_overhead: float) -> Pairs:
    """Return the pairs where the median of either arm is a time.

    Raises:
        Failed: in one arm it is no more than the loop's own cost.
    """
    for arm, seconds in zip("ab", pairs.seconds(), strict=True):
        if not is_time(seconds, loop_overhead):
            raise Failed(arm, "no_time", NO_TIME)
    return pairs


def shuffle(jobs: Sequence[Job], coin: Random) -> list[list[Job]]:
    """Return the jobs on the same tensors together, in a random order of those."""
    groups: dict[str, list[Job]] = {}
    for job in jobs:
        groups.setdefault(job.inputs_key, []).append(job)
    return coin.sample([*groups.values()], len(groups))


def common_plan(plans: Collection[Plan]) -> Plan:
    """Return how a block is taken in both arms: with as many iterations as the faster one needs."""
    largest = max(plans, key=lambda plan: plan["iterations"])
    return {**largest, "iterations": min(largest["iterations"], *(p["limit"] for p in plans))}
