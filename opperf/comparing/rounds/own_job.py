"""A job as an arm measures it: with the arm's own threads and element type."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from opperf.comparing.networks.jobs import CallJob, StepJob, step_jobs
from opperf.comparing.pairs.job import rows_of
from opperf.core.errors import UnsupportedError
from opperf.declaring.registry import find_operator

if TYPE_CHECKING:
    from collections.abc import Iterable

    from opperf.comparing.arms.entry import ArmEntry
    from opperf.comparing.pairs.job import Job
    from opperf.planning.task import Task


def jobs_in(jobs: Iterable[Job], arm: ArmEntry) -> list[Job]:
    """Return the jobs as an arm measures them, without those that it is declared not to have."""
    found = []
    for job in jobs:
        with suppress(UnsupportedError):
            found.append(own_job(job, arm))
    return found


def own_job(job: Job, arm: ArmEntry) -> Job:
    """Return a job as an arm measures it.

    Raises:
        UnsupportedError: the operator has no such element type, or the framework is declared not to
            compute it in that.
    """
    if arm.threads is not None and arm.threads != job.task.settings.threads:
        settings = replace(job.task.settings, threads=arm.threads)
        job = made_anew(job, replace(job.task, settings=settings))
    if arm.dtype is None or isinstance(job, CallJob):
        return job
    if isinstance(job, StepJob):
        request = {**job.task.request, "dtype": arm.dtype}  # type: ignore[attr-defined]
        return made_anew(job, replace(job.task, request=request))  # type: ignore[call-arg]
    if arm.dtype not in find_operator(job.task.operator).dtypes:
        raise UnsupportedError(f"{job.task.operator} is not declared for {arm.dtype}")
    return made_anew(job, replace(job.task, inputs={**job.task.inputs, "dtype": arm.dtype}))


def made_anew(job: Job, task: Task) -> Job:
    """Return the job of a task that is a job's own but for how it is measured."""
    if isinstance(job, CallJob):
        return replace(job, task=task)
    if isinstance(job, StepJob):
        return step_jobs([task])[0]
    found = [*rows_of(replace(task, rows=(job.row,)))]
    if not found:
        raise UnsupportedError(f"{task.framework} is declared not to compute it so")
    return replace(found[0], task=task)
