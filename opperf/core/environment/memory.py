"""The memory: how much there is, and how its pages are placed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from opperf.core.environment.files import read_fields, read_integer, read_text
from opperf.core.memory.layout import ADDR_NO_RANDOMIZE

if TYPE_CHECKING:
    from pathlib import Path


def memory_facts(root: Path) -> dict[str, object]:
    """Return the facts of the memory, in bytes."""
    return {
        "memory_bytes": memory_bytes(root),
        "huge_pages": huge_pages(root),
        "aslr": aslr(root),
    }


def memory_bytes(root: Path) -> int | None:
    """Return the memory that the kernel manages."""
    total = read_fields(root / "proc/meminfo").get("MemTotal", "")
    match = re.fullmatch(r"(\d+) kB", total)
    return int(match[1]) * 1024 if match else None


def huge_pages(root: Path) -> str | None:
    """Return the chosen one of the transparent huge page policies."""
    policies = read_text(root / "sys/kernel/mm/transparent_hugepage/enabled") or ""
    match = re.search(r"\[(\w+)\]", policies)
    return match[1] if match else None


def aslr(root: Path) -> int | None:
    """Return the address randomization that holds for this process (0: none, 2: full)."""
    personality = read_integer(root / "proc/self/personality", base=16) or 0
    if personality & ADDR_NO_RANDOMIZE:
        return 0
    return read_integer(root / "proc/sys/kernel/randomize_va_space")
