"""The container: the limits of the control groups around this process."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from opperf.core.environment.container import container_facts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    Machine = Callable[[Mapping[str, str]], Path]

GROUPS = "sys/fs/cgroup"
VERSION_1 = "4:memory:/docker/ab\n3:cpu,cpuacct:/docker/ab\n1:name=systemd:/docker/ab"
NO_LIMIT_1 = "9223372036854771712"


@pytest.mark.parametrize(
    ("files", "quota", "memory"),
    [
        ({}, None, None),
        ({"proc/self/cgroup": "0::/"}, None, None),
        ({"proc/self/cgroup": "damaged"}, None, None),
        (
            {
                "proc/self/cgroup": "0::/",
                f"{GROUPS}/cpu.max": "150000 100000",
                f"{GROUPS}/memory.max": "1073741824",
            },
            1.5,
            2**30,
        ),
        (
            {
                "proc/self/cgroup": "0::/",
                f"{GROUPS}/cpu.max": "max 100000",
                f"{GROUPS}/memory.max": "max",
            },
            None,
            None,
        ),
        (
            {
                "proc/self/cgroup": "0::/slice/job",
                f"{GROUPS}/slice/job/cpu.max": "max 100000",
                f"{GROUPS}/slice/cpu.max": "50000 100000",
                f"{GROUPS}/slice/job/memory.max": "4096",
                f"{GROUPS}/slice/memory.max": "8192",
            },
            0.5,
            4096,
        ),
        (
            {
                "proc/self/cgroup": VERSION_1,
                f"{GROUPS}/cpu/cpu.cfs_quota_us": "200000",
                f"{GROUPS}/cpu/cpu.cfs_period_us": "100000",
                f"{GROUPS}/memory/memory.limit_in_bytes": "2147483648",
            },
            2.0,
            2**31,
        ),
        (
            {
                "proc/self/cgroup": VERSION_1,
                f"{GROUPS}/cpu/docker/ab/cpu.cfs_quota_us": "-1",
                f"{GROUPS}/cpu/docker/ab/cpu.cfs_period_us": "100000",
                f"{GROUPS}/memory/docker/ab/memory.limit_in_bytes": NO_LIMIT_1,
            },
            None,
            None,
        ),
        (
            {
                "proc/self/cgroup": "0::/../../other",
                f"{GROUPS}/cpu.max": "100000 100000",
                f"{GROUPS}/memory.max": "4096",
            },
            1.0,
            4096,
        ),
    ],
    ids=[
        "no control groups",
        "no limit files",
        "damaged",
        "version 2",
        "version 2 without a limit",
        "version 2, the tightest of several groups",
        "version 1, the group named as its host sees it",
        "version 1 without a limit",
        "a group outside of this container",
    ],
)
def test_limits(
    machine: Machine, files: dict[str, str], quota: float | None, memory: int | None
) -> None:
    """The quota is in processors and the limit in bytes, None where there is none."""
    assert container_facts(machine(files)) == {"cpu_quota": quota, "memory_limit": memory}
