"""The platforms of this machine: its processor, and its GPUs by CUDA."""

from __future__ import annotations

import os
from pathlib import Path

from opperf.core.environment import collect
from opperf.core.environment.gpu import gpu_facts
from opperf.specs.platforms.platform import Platform, PlatformDevice, device_hash


class CpuPlatform(Platform):
    """This machine's processor: one device, whose hash is the machine's key in every record."""

    name = "cpu"

    def devices(self) -> tuple[PlatformDevice, ...]:
        """Return the only one."""
        facts = collect(environ={})
        title = str(facts.get("cpu") or "")
        return (PlatformDevice(identifier="cpu", hash=str(facts["machine_key"]), title=title),)


class CudaPlatform(Platform):
    """This machine's NVIDIA GPUs, as CUDA_VISIBLE_DEVICES numbers them."""

    name = "cuda"

    def devices(self) -> tuple[PlatformDevice, ...]:
        """Return one a GPU; its hash is of the machine, and of its number and name there."""
        names = gpu_names()
        if not names:
            return ()
        machine = collect(environ={})["machine_key"]
        visible = visible_numbers(os.environ.get("CUDA_VISIBLE_DEVICES"), len(names))
        return tuple(
            PlatformDevice(
                identifier=f"cuda:{index}",
                hash=device_hash(machine, number, names[number]),
                title=names[number],
            )
            for index, number in enumerate(visible)
        )


def gpu_names(root: Path = Path("/")) -> list[str]:
    """Return the names of this machine's GPUs."""
    names = gpu_facts(root)["gpu"]
    return [str(name) for name in names] if isinstance(names, list) else []


def visible_numbers(variable: str | None, count: int) -> list[int]:
    """Return the GPUs that CUDA shows, in its order; all where the variable holds no numbers.

    As CUDA does, it ends at the first number that is no GPU's.
    """
    if variable is None:
        return [*range(count)]
    found: list[int] = []
    for word in variable.split(","):
        if not word.strip().isdecimal():
            return [*range(count)] if variable.strip() and not found else found
        if int(word) >= count:
            return found
        found.append(int(word))
    return found


CPU, CUDA = CpuPlatform(), CudaPlatform()
