"""How much memory there is to be had."""

from __future__ import annotations

import os
from pathlib import Path

from opperf.core.errors import UsageError
from opperf.core.units import format_bytes


def require_memory(operator: str, nbytes: int, limit: int | None = None) -> None:
    """Refuse, before anything is allocated, inputs that cannot fit."""
    available = limit if limit is not None else available_memory()
    if available is not None and nbytes > available:
        raise UsageError(
            f"{operator}: the inputs need about {nbytes} bytes ({format_bytes(nbytes)}) with their "
            f"float64 reference, {available} bytes ({format_bytes(available)}) are available; "
            "make them smaller"
        )


def available_memory(root: Path = Path("/")) -> int | None:
    """Return the bytes that can be taken without swapping, or None where the system cannot say."""
    try:
        lines = (root / "proc/meminfo").read_text().splitlines()
    except OSError:
        return total_memory()
    for line in lines:
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    return total_memory()


def total_memory() -> int | None:
    """Return the machine's memory in bytes, or None where the system cannot say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError, AttributeError):
        return None
