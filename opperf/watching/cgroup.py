"""A control group of one's own for a command, whose memory the kernel itself keeps the peak of."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from opperf.core.environment.files import ROOT, read_integer, read_text

if TYPE_CHECKING:
    from pathlib import Path

MISSING = "no control group (v2) whose memory this process may divide"


@dataclass(frozen=True)
class MemoryGroup:
    """The folder of a control group; None where there is none to be had."""

    folder: Path | None

    @classmethod
    def create(cls, name: str, root: Path = ROOT) -> MemoryGroup:
        """Make one below this process's own, where that hands the counting of memory down."""
        own = own_group(root)
        controllers = read_text(own / "cgroup.subtree_control") if own else None
        if own is None or "memory" not in (controllers or "").split():
            return cls(None)
        folder = own / name
        try:
            folder.mkdir()
        except OSError:
            return cls(None)
        if (folder / "memory.peak").exists() and os.access(folder / "cgroup.procs", os.W_OK):
            return cls(folder)
        cls(folder).remove()  # a kernel before 5.19
        return cls(None)

    def peak(self) -> int | None:
        """Return the most bytes that all its processes held at once, cached files included."""
        return read_integer(self.folder / "memory.peak") if self.folder else None

    def remove(self) -> None:
        """Take it away, once its processes have ended."""
        if self.folder:
            with suppress(OSError):
                self.folder.rmdir()


def own_group(root: Path) -> Path | None:
    """Return the folder of this process's control group of version 2."""
    lines = (read_text(root / "proc/self/cgroup") or "").splitlines()
    path = next((line.removeprefix("0::/") for line in lines if line.startswith("0::/")), None)
    place = root / "sys/fs/cgroup"
    if path is None or not (place / "cgroup.controllers").exists():
        return None
    return place / path
