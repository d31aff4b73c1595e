"""SkyPilot: machines of clouds, by its program sky.

Options as of SkyPilot 0.14, https://docs.skypilot.co/en/stable/reference/cli.html.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from opperf.core.errors import UsageError
from opperf.machines.engine import Engine, EngineCall
from opperf.machines.shell import line

if TYPE_CHECKING:
    from opperf.machines.machine import MachineSpec

MINUTE, GIB = 60, 2**30


class SkyPilot(Engine):
    """A cluster of one node; its command is a job on it, and without one it waits."""

    name = "skypilot"
    flags = frozenset({"--image", "--infra", "--idle-stop"})
    source = "pip install skypilot, with the extra of a cloud"

    def create(self, spec: MachineSpec) -> EngineCall:
        """Return `sky launch`, which makes the cluster unless there is one of that name."""
        if spec.gpus and spec.gpu_model is None:
            raise UsageError(f"--gpus {spec.gpus}: skypilot needs a model, as in A100:{spec.gpus}")
        words = ["sky", "launch", "--yes", "--detach-run", "--cluster", spec.name]
        for flag, value in (
            ("--infra", spec.infra),
            ("--gpus", spec.gpus),
            ("--cpus", f"{spec.cpus}+" if spec.cpus else None),
            ("--memory", f"{ceil(spec.memory / GIB)}+" if spec.memory else None),
            ("--image-id", f"docker:{spec.image}" if spec.image else None),
            ("--idle-minutes-to-autostop", str(ceil(spec.idle / MINUTE)) if spec.idle else None),
        ):
            words += [flag, value] if value else []
        command = ["--", line(spec.command)] if spec.command else []
        return EngineCall(words=(*words, *spec.options, *command))

    def status(self, spec: MachineSpec) -> EngineCall:
        """Return `sky status`, which asks the cloud."""
        return EngineCall(words=("sky", "status", "--refresh", spec.name))

    def start(self, spec: MachineSpec) -> EngineCall:
        """Return `sky start`."""
        return EngineCall(words=("sky", "start", "--yes", spec.name))

    def stop(self, spec: MachineSpec) -> EngineCall:
        """Return `sky stop`, which keeps the disk."""
        return EngineCall(words=("sky", "stop", "--yes", spec.name))

    def delete(self, spec: MachineSpec) -> EngineCall:
        """Return `sky down`."""
        return EngineCall(words=("sky", "down", "--yes", spec.name))

    def entry(self, spec: MachineSpec) -> str:
        """Return what SkyPilot has put into the configuration of ssh."""
        return line(["ssh", spec.name])
