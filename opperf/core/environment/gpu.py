"""The GPUs: their names and their driver, as the NVIDIA kernel module tells them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from opperf.core.environment.files import read_fields, read_text

if TYPE_CHECKING:
    from pathlib import Path


def gpu_facts(root: Path) -> dict[str, object]:
    """Return the GPUs' names in the order of their bus addresses, and the driver's version."""
    return {"gpu": gpu_names(root), "driver": driver(root)}


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
