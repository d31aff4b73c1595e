"""Slurm: a node of a cluster, held by a batch job of one's own.

Slurm has no verbs for machines: a job that holds a node alone stands for one. Stopped, it is put
back into the queue and held there, and started, released: it begins anew, and keeps nothing but
files. `scontrol suspend` would stop processes where they are; only an operator may, and the node's
memory stays taken. Options as of Slurm 22.05 and later, https://slurm.schedmd.com/sbatch.html,
https://slurm.schedmd.com/scontrol.html.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from opperf.machines.engine import Engine, EngineCall
from opperf.machines.shell import line

if TYPE_CHECKING:
    from opperf.machines.machine import MachineSpec

MINUTE, MIB = 60, 2**20
WAITING = ("sleep", "infinity")
FORMAT = "%.12i %.20j %.10T %.12M %.12l %R"
"""Number, name, state, time so far, limit, and node or reason."""


class Slurm(Engine):
    """A batch job that has a node for itself."""

    name = "slurm"
    flags = frozenset({"--partition", "--lifetime"})
    source = "a login node of the cluster has it"

    def create(self, spec: MachineSpec) -> EngineCall:
        """Return `sbatch`, unless a job of that name waits or runs."""
        words = [
            "sbatch", "--parsable", "--requeue", "--exclusive", "--nodes=1", "--ntasks=1",
            f"--job-name={spec.name}",
        ]  # fmt: skip
        for flag, value in (
            ("--partition", spec.partition),
            ("--gpus-per-node", spec.gpus),
            ("--cpus-per-task", spec.cpus),
            ("--mem", f"{ceil(spec.memory / MIB)}M" if spec.memory else None),
            ("--time", ceil(spec.lifetime / MINUTE) if spec.lifetime else None),
        ):
            words += [f"{flag}={value}"] if value else []
        script = f"--wrap={line(spec.command or WAITING)}"
        return EngineCall(words=(*words, *spec.options, script), jobs=jobs(spec), anew=True)

    def status(self, spec: MachineSpec) -> EngineCall:
        """Return `squeue`."""
        words = ("squeue", "--me", f"--name={spec.name}", "--states=all", f"--format={FORMAT}")
        return EngineCall(words=words)

    def start(self, spec: MachineSpec) -> EngineCall:
        """Return `scontrol release`: the job begins anew once there is a node."""
        return EngineCall(words=("scontrol", "release"), jobs=jobs(spec))

    def stop(self, spec: MachineSpec) -> EngineCall:
        """Return `scontrol requeuehold`: its processes end, and the node is free for others."""
        return EngineCall(words=("scontrol", "requeuehold", "Incomplete"), jobs=jobs(spec))

    def delete(self, spec: MachineSpec) -> EngineCall:
        """Return `scancel`."""
        return EngineCall(words=("scancel", "--me", f"--name={spec.name}"))

    def entry(self, spec: MachineSpec) -> str:
        """Return the step of a shell."""
        return f'srun --overlap --pty --jobid="$({line(jobs(spec))})" bash'


def jobs(spec: MachineSpec) -> tuple[str, ...]:
    """Return the command that prints the numbers of the jobs that wait or run."""
    return ("squeue", "--me", f"--name={spec.name}", "--noheader", "--format=%A")
