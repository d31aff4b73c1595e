"""A program of a framework's own: its files, its command lines, and how long it may take."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class ProgramRun:
    """What is to run on a device.

    Args:
        program: the executable on this machine, which `{program}` stands for.
        lines: command lines in the words of a shell, one after the other.
        files: on this machine, by the placeholder that stands for each: "files.predict".
        libraries: shared libraries that the program needs.
        options: of the platform, such as {"taskset": "f0"}.
        timeout: seconds of each line.

    """

    program: Path
    lines: tuple[str, ...]
    files: Mapping[str, Path] = field(default_factory=dict)
    libraries: tuple[Path, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    timeout: float = 300.0
