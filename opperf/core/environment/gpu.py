"""The GPUs: their names and driver as the NVIDIA kernel module tells them, their state by NVML."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from opperf.core.environment.files import read_fields, read_text
from opperf.core.environment.nvml import NvmlValue, driver_version, gpu_states, load_nvml

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

NO_GPU = NvmlValue(None, "the kernel knows no NVIDIA GPU")


def gpu_facts(root: Path, load: Callable[[], NvmlValue] = load_nvml) -> dict[str, object]:
    """Return the GPUs' names in the order of their bus addresses, the driver, and their states.

    `gpu_state` is None where it cannot be told, and `gpu_state_reason` then says why. NVML is set
    up only where there is a GPU; where /proc is not the machine's own, it tells the names as well.
    """
    names = gpu_names(root)
    nvml = load() if names or (root / "dev/nvidiactl").exists() else NO_GPU
    states = gpu_states(nvml)
    return {
        "gpu": names or [state["name"] for state in states.value or ()],
        "driver": driver(root) or driver_version(nvml),
        "gpu_state": states.value,
        "gpu_state_reason": states.reason,
    }


def gpu_names(root: Path) -> list[str]:
    """Return one name per GPU."""
    files = sorted((root / "proc/driver/nvidia/gpus").glob("*/information"))
    names = (read_fields(file).get("Model") for file in files)
    return [name for name in names if name]


def driver(root: Path) -> str | None:
    """Return the driver's version; the second file is the one that containers show."""
    version = read_text(root / "sys/module/nvidia/version")
    line = read_text(root / "proc/driver/nvidia/version") or ""
    match = re.search(r"Kernel Module.*?\s(\d+(?:\.\d+)+)", line)
    return version or (match[1] if match else None)
