"""Workers as jobs of Slurm, by dask-jobqueue: a node each, and nothing beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dask_jobqueue.slurm import SLURMJob

from opperf.machines.shell import refuse_control

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.fleet.deployment.command import WorkerCommand

ALONE = ("-N 1", "--exclusive", "--mem=0", "--requeue", "--signal=B:TERM@120")
"""A node with all of its processors and its memory; two minutes to end in before its time is up."""
SKIP = ("--cpus-per-task", "--mem=")
"""What dask-jobqueue would ask for of a part of a node."""


class FleetJob(SLURMJob):
    """A job that starts `opperf fleet worker` in place of Dask's own worker."""

    def __init__(self, *words: Any, fleet_worker: WorkerCommand, **options: Any) -> None:
        """Take dask-jobqueue's arguments and what a worker is started with."""
        super().__init__(*words, **options)  # type: ignore[no-untyped-call]
        self._command_template = f"exec {fleet_worker.shell()}"


def slurm_script(
    worker: WorkerCommand,
    *,
    partition: str | None = None,
    walltime: str = "1-00:00:00",
    directives: Sequence[str] = (),
) -> str:
    """Return a script for sbatch that starts a worker on a node of its own.

    It is one host however many are wanted: `sbatch --array=1-20` submits twenty.

    Raises:
        UsageError: a worker could not be started so, or a word would be more than one.
    """
    worker.check()
    wanted = [("--partition", partition), ("--walltime", walltime)]
    for name, text in [*wanted, *(("--sbatch-option", text) for text in directives)]:
        if text is not None:
            refuse_control(name, text)
    job = FleetJob(
        worker.scheduler, name="opperf", fleet_worker=worker, cores=1, memory="1GB", processes=1,
        queue=partition, walltime=walltime, job_name="opperf-worker", python=str(worker.python),
        job_directives_skip=list(SKIP), job_extra_directives=[*ALONE, *directives],
        job_script_prologue=["set -eu"], shebang="#!/bin/bash", config_name="slurm",
    )  # fmt: skip
    return str(job.job_script())  # type: ignore[no-untyped-call]
