"""The processor: model, cores, caches, and what sets its speed."""

from __future__ import annotations

import os
import platform
import re
from typing import TYPE_CHECKING

from opperf.core.environment.files import (
    FIRST_PROCESSOR,
    ROOT,
    read_fields,
    read_integer,
    read_list,
    read_text,
)
from opperf.core.environment.instruction_sets import instruction_sets

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

CPUS = "sys/devices/system/cpu"
CACHES = {(1, "Data"): "L1d", (2, "Unified"): "L2", (3, "Unified"): "L3"}
MULTIPLES = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30}


def processor_facts(root: Path) -> dict[str, object]:
    """Return the facts of the processor; `cores` counts the logical ones that are online."""
    first = read_fields(root / "proc/cpuinfo", limit=FIRST_PROCESSOR)
    cpus = root / CPUS
    online = read_list(cpus / "online")
    physical = count_groups(cpus, online, "thread_siblings_list")
    return {
        "cpu": model(first),
        "architecture": platform.machine() or None,
        "cores": len(online) or os.cpu_count(),
        "physical_cores": physical,
        "sockets": count_groups(cpus, online, "core_siblings_list"),
        "smt": None if physical is None else len(online) > physical,
        "caches": caches(cpus),
        "instruction_sets": instruction_sets(root),
        "hypervisor": hypervisor(first, root),
        "governor": read_text(cpus / "cpu0/cpufreq/scaling_governor"),
        "boost": boost(cpus),
    }


def model(first: Mapping[str, str]) -> str | None:
    """Return the processor's name; Arm gives two numbers in place of one."""
    if "CPU part" in first:
        return f"CPU implementer {first.get('CPU implementer')} part {first['CPU part']}"
    return first.get("model name") or first.get("cpu") or None


def count_groups(cpus: Path, online: set[int], file: str) -> int | None:
    """Return how many groups of siblings the online processors form, or None if unknown.

    One file is read per group, not per processor: a large machine has hundreds of these.
    """
    count, left = 0, set(online)
    while left:
        first = min(left)
        siblings = read_list(cpus / f"cpu{first}/topology" / file)
        if first not in siblings:
            return None
        count, left = count + 1, left - siblings
    return count or None


def caches(cpus: Path) -> dict[str, int | None]:
    """Return the bytes of each cache that the first processor sees."""
    sizes: dict[str, int | None] = dict.fromkeys(CACHES.values())
    for index in sorted((cpus / "cpu0/cache").glob("index*")):
        kind = (read_integer(index / "level") or 0, read_text(index / "type") or "")
        if kind in CACHES:
            sizes[CACHES[kind]] = byte_size(read_text(index / "size") or "")
    return sizes


def cache_bytes(root: Path = ROOT) -> int | None:
    """Return the bytes of the last-level cache, or None where the system does not say."""
    sizes = [size for size in caches(root / CPUS).values() if size]
    return max(sizes, default=None)


def own_cache_bytes(root: Path = ROOT) -> int | None:
    """Return the bytes of the second-level cache, a core's own, or None where there is none."""
    return caches(root / CPUS).get("L2")


def byte_size(text: str) -> int | None:
    """Return the bytes that a size such as `48K` stands for."""
    match = re.fullmatch(r"(\d+)([KMG]?)", text)
    return int(match[1]) * MULTIPLES[match[2]] if match else None


def hypervisor(first: Mapping[str, str], root: Path) -> bool | None:
    """Say whether this is a virtual machine; only x86 processors can say that it is not."""
    if read_text(root / "sys/hypervisor/type"):
        return True
    return "hypervisor" in first["flags"].split() if "flags" in first else None


def boost(cpus: Path) -> bool | None:
    """Say whether the clock may rise above its nominal rate."""
    no_turbo = read_integer(cpus / "intel_pstate/no_turbo")
    allowed = read_integer(cpus / "cpufreq/boost")
    if no_turbo is not None:
        return no_turbo == 0
    return None if allowed is None else allowed != 0
