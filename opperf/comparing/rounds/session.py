"""One session of several arms: fresh processes for all of them, and each job in all."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from time import perf_counter_ns
from typing import TYPE_CHECKING
from uuid import uuid4

from opperf.comparing.pairs.job import difference
from opperf.comparing.pairs.process import ArmProcess, Failed
from opperf.comparing.pairs.session import Session, common_plan
from opperf.comparing.rounds.blocks import measure_rounds
from opperf.comparing.rounds.design import orders
from opperf.comparing.rounds.finding import RoundFinding
from opperf.comparing.rounds.own_job import own_job
from opperf.core.errors import UnsupportedError, UsageError
from opperf.core.results.pair import ARM_SCHEMA, Pair
from opperf.core.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path
    from random import Random

    from opperf.comparing.arms.arm import ArmSpec
    from opperf.comparing.arms.entry import ArmEntry
    from opperf.comparing.pairs.job import Job
    from opperf.comparing.pairs.process import Plan
    from opperf.measuring.worker.handle import Worker
    from opperf.planning.task import Place

AGAIN = "again"
"""What follows the reference's name where it is compared with itself."""


@dataclass(kw_only=True)
class RoundSession(Session):
    """A session of a reference and of those that are compared with it.

    Args:
        arms: by name, the reference first; those of a control are twice the reference.
        contenders: the arms that each job is measured in beside the reference, by the job's key.
        checked: the jobs and arms whose outputs were found to be right; added to.
        absences: why arms have no process; added to.

    """

    arms: Mapping[str, ArmEntry]
    contenders: Mapping[str, Sequence[str]]
    checked: set[tuple[str, str]]
    absences: dict[str, str] = field(default_factory=dict)

    @property
    def reference(self) -> str:
        """The name of the reference."""
        return next(iter(self.arms))

    @contextmanager
    def processes(self, place: Place, program: str) -> Iterator[dict[str, ArmProcess]]:
        """Start all arms at once, wait for them, and end them however this ends.

        An arm that does not load is left out; without the reference there is nothing to compare.
        """
        started: dict[str, ArmProcess] = {}
        try:
            for name in self.starting_order():
                entry = self.arms[name]
                process = ArmProcess(name, self.worker(entry, place, program), entry.compile)
                with self.leaving_out(name):
                    started[name] = process
                    process.worker.start()
            for name, process in started.items():
                if name in self.absences:
                    continue
                with self.leaving_out(name):
                    process.worker.wait_until_ready()
                    self.environments[name] = process.worker.environment
            yield {name: started[name] for name in self.arms if name not in self.absences}
        finally:
            for process in started.values():
                process.worker.close()

    def starting_order(self) -> list[str]:
        """Return the arms in the order in which they start: another one first each session.

        Where a slower arm is confirmed, the reference starts last.
        """
        failures = {name: entry.failure for name, entry in self.arms.items()}
        self.absences |= {name: failure for name, failure in failures.items() if failure}
        names = [name for name in self.arms if name not in self.absences]
        if self.purpose == "confirmation":
            return [*names[1:], names[0]]
        turn = self.number % len(names)
        return [*names[turn:], *names[:turn]]

    @contextmanager
    def leaving_out(self, name: str) -> Iterator[None]:
        """Leave an arm out that does not load.

        Raises:
            UsageError: it is the reference.
        """
        try:
            yield
        except UsageError as error:
            if name == self.reference:
                raise UsageError(f"arm {name} ({self.arms[name].text}): {error}") from error
            self.absences[name] = str(error)

    def worker(self, arm: ArmSpec, place: Place, program: str) -> Worker:
        """Return a handle for one arm's process, with the arm's own threads."""
        framework, device, threads = place
        own = getattr(arm, "threads", None) or threads
        return super().worker(arm, (framework, device, own), program)

    def record_count(self, jobs: Sequence[Job]) -> int:
        """Return how many records jobs make: one of each arm beside the reference."""
        return sum(len(self.contenders[job.key]) for job in jobs)

    def records_of(
        self, job: Job, processes: Mapping[str, ArmProcess], coin: Random
    ) -> Iterator[Pair]:
        """Yield the record of each arm that the job is measured in, whatever becomes of it."""
        names = [self.reference, *self.contenders[job.key]]
        found = RoundFinding()
        for name in names:
            with found.noting():
                found.jobs[name] = self.own_form(job, name)
        ready = {name: processes[name] for name in names if found.works(name)}
        self.take_rounds(job, ready, coin, found)
        for own in found.jobs.values():
            if not own.is_kept:
                self.tensors(own).unlink(missing_ok=True)
        for name in names[1:]:
            yield self.record_of(job, name, found)

    def own_form(self, job: Job, name: str) -> Job:
        """Return the job as an arm measures it.

        Raises:
            Failed: the arm has no process, or no such operator.
        """
        if name in self.absences:
            raise Failed(name, "failed", self.absences[name])
        try:
            return own_job(job, self.arms[name])
        except UnsupportedError as error:
            raise Failed(name, "unsupported", str(error)) from error

    def take_rounds(
        self, job: Job, processes: Mapping[str, ArmProcess], coin: Random, found: RoundFinding
    ) -> None:
        """Take the blocks of a job in all arms in which it can be made ready."""
        plan = self.make_all_ready(job, processes, found)
        if plan is None:
            return
        arms = {
            name: partial(process.block, plan)
            for name, process in processes.items()
            if found.works(name)
        }
        rounds = orders([*arms], self.number, coin)
        pairs = measure_rounds(arms, self.reference, rounds, perf_counter_ns, found.note)
        for name, process in processes.items():
            if found.works(name):
                with found.noting():
                    process.check()
        found.take(pairs, self.reference, plan["loop_overhead"])

    def make_all_ready(
        self, job: Job, processes: Mapping[str, ArmProcess], found: RoundFinding
    ) -> Plan | None:
        """Make the row ready in all arms; return how a block is taken, None where nobody can.

        An arm's first session of a job checks what it yields and keeps it. A failure is noted.
        """
        found.plan, made, first = self.plans.get(job.key), {}, set()
        for name, process in processes.items():
            own, is_new = found.jobs[name], (job.key, name) not in self.checked
            with found.noting():
                made[name] = process.make_ready(
                    own, self.tensors(own), None if is_new else found.plan,
                    self.outputs(name) if is_new else None,
                )  # fmt: skip
                if is_new:
                    first.add(name)
        if self.reference not in made or len(made) == 1:
            return None
        plan = common_plan([*made.values()]) if found.plan is None else bounded(found.plan, made)
        found.plan = self.plans[job.key] = plan
        self.checked |= {(job.key, name) for name in made}
        if self.reference in first:
            ours = self.outputs(self.reference)
            found.apart = {name: difference(ours, self.outputs(name)) for name in first}
        return found.plan

    def tensors(self, job: Job) -> Path:
        """Return the file of a job's tensors."""
        return self.folder / f"{job.inputs_key}.npz"

    def record_of(self, job: Job, name: str, found: RoundFinding) -> Pair:
        """Return the record of what was found in an arm beside the reference."""
        pairs = found.pairs.get(name)
        a_seconds, b_seconds = pairs.seconds() if pairs else (None, None)
        return Pair(
            result_id=uuid4().hex,
            run_id=self.run_id,
            session=self.number,
            purpose=self.purpose,
            started_at=found.started_at,
            opperf_version=VERSION,
            operator=job.operator,
            inputs=job.inputs,
            attributes=job.attributes,
            a_status=found.status(self.reference),
            b_status=found.status(name),
            reason=found.reason(self.reference, name),
            plan=found.plan,
            a_blocks=tuple(block.seconds for block in pairs.a) if pairs else (),
            b_blocks=tuple(block.seconds for block in pairs.b) if pairs else (),
            a_chirps=tuple(max(block.probe_times) for block in pairs.a) if pairs else (),
            b_chirps=tuple(max(block.probe_times) for block in pairs.b) if pairs else (),
            marked=tuple(pairs.marked()) if pairs else (),
            ratio=pairs.ratio() if pairs else None,
            a_seconds=a_seconds,
            b_seconds=b_seconds,
            disturbed=pairs.disturbed if pairs else False,
            outputs_difference=found.apart.get(name),
            schema=ARM_SCHEMA,
            subject=job.subject,
            arm=self.reference if self.purpose == "control" else name,
        )


def bounded(plan: Plan, made: Mapping[str, Plan]) -> Plan:
    """Return an earlier session's plan, with no more iterations than an arm can prepare."""
    most = min(each["limit"] for each in made.values())
    return {**plan, "iterations": min(plan["iterations"], most)}
