"""The container: the limits of the control groups, versions 1 and 2, around this process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.environment.files import read_integer, read_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

UNLIMITED = 2**60
"""Version 1 writes the largest multiple of a page for "no limit"."""


def container_facts(root: Path) -> dict[str, object]:
    """Return the tightest limits around this process, None where there is no limit.

    `cpu_quota` is in processors (0.5: half the time of one), `memory_limit` in bytes.
    """
    quotas = [quota(path) for path in directories(root, "cpu")]
    limits = [limit(path) for path in directories(root, "memory")]
    return {
        "cpu_quota": min((value for value in quotas if value is not None), default=None),
        "memory_limit": min((value for value in limits if value is not None), default=None),
    }


def directories(root: Path, controller: str) -> Iterator[Path]:
    """Yield this process's group and every group above it, in each hierarchy."""
    for line in (read_text(root / "proc/self/cgroup") or "").splitlines():
        _, _, rest = line.partition(":")
        controllers, _, group = rest.partition(":")
        mounts = ("", "unified") if not controllers else (controller,)
        if not controllers or controller in controllers.split(","):
            for mount in mounts:
                yield from upwards(root / "sys/fs/cgroup" / mount, group)


def upwards(mount: Path, group: str) -> Iterator[Path]:
    """Yield the group's directory and those above it, up to the mount.

    Inside a container the group may be named as its host sees it, and only the mount exists.
    """
    parts = [part for part in group.split("/") if part not in {"", "."}]
    depth = 0 if ".." in parts else len(parts)
    for end in range(depth, -1, -1):
        yield mount.joinpath(*parts[:end])


def quota(group: Path) -> float | None:
    """Return the processors that the group may use on average."""
    used, _, period = (read_text(group / "cpu.max") or "").partition(" ")
    if used.isdigit() and period.isdigit():
        return ratio(int(used), int(period))
    return ratio(
        read_integer(group / "cpu.cfs_quota_us"), read_integer(group / "cpu.cfs_period_us")
    )


def ratio(quota: int | None, period: int | None) -> float | None:
    """Return the share of the period, None for no limit (version 1 writes -1)."""
    return quota / period if quota and period and quota > 0 and period > 0 else None


def limit(group: Path) -> int | None:
    """Return the bytes that the group may use."""
    for file in ("memory.max", "memory.limit_in_bytes"):
        value = read_integer(group / file)
        if value is not None:
            return value if 0 <= value < UNLIMITED else None
    return None
