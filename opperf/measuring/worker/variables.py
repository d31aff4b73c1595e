"""The environment variables of a child: an allow-list of the user's, and settings of our own."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from opperf.core.environment.identity import host_name
from opperf.core.environment.recorded import recorded_variables
from opperf.core.environment.variables import child_environment
from opperf.core.frameworks.registry import find_framework
from opperf.measuring.worker.code_path import code_path

if TYPE_CHECKING:
    from collections.abc import Mapping

PIPED = {"PYTHONSAFEPATH": "1", "PYTHONUNBUFFERED": "1"}
"""The directory that a child starts in must not shadow modules, and what it prints is not kept."""
ALIKE = {"PYTHONHASHSEED": "0"}
"""The order of what is hashed is the same in each child."""
PASSIVE = {"OMP_WAIT_POLICY": "passive", "KMP_BLOCKTIME": "0"}
"""A thread that waits for others sleeps at once. By default it looks for some milliseconds first
whether there is work, which short parallel calls need (docs/lab/method.md, "Threads, memory,
neighbors"), and which would disturb another child that is measured within these milliseconds."""
ALLOCATION = {
    "GLIBC_TUNABLES": (
        "glibc.malloc.mmap_threshold=1073741824:glibc.malloc.trim_threshold=4294967296"
        ":glibc.malloc.arena_max=1:glibc.malloc.hugetlb=1"
    )
}
"""Freed memory stays with the process; otherwise a reused child pays for pages at random.

One arena, because those of further threads, as MXNet's engine has, are given back all the same.
Huge pages are asked for: which pages of 4 KiB a tensor gets is chance, and so is how they fall
together in the caches.
"""

MEMORY = {"GLIBC_TUNABLES": "glibc.malloc.mmap_threshold=65536:glibc.malloc.arena_max=1"}
"""In the memory pass a larger block is a mapping of its own, that leaves as soon as it is freed."""


def child_variables(
    framework: str, threads: int, own: Mapping[str, str], *, plain: bool = False
) -> dict[str, str]:
    """Return what a child inherits: what is allowed to, our settings, then its `own`.

    A plain one has whatever the user's own process would be tuned by, and no such settings of ours.

    Raises:
        UsageError: OPPERF_HOST is no name of a host.
    """
    host_name(os.environ)  # refused here, and not by each child
    measured = find_framework(framework)
    if plain:
        tuned = recorded_variables(os.environ)
    else:
        tuned = {**ALLOCATION, **ALIKE, **measured.placing, **(PASSIVE if threads == 1 else {})}
    found = child_environment(
        os.environ, {**tuned, **PIPED, **measured.environment(threads), **own}
    )
    found["PYTHONPATH"] = os.pathsep.join(filter(None, [code_path(), found.get("PYTHONPATH")]))
    return found
