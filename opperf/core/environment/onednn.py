"""oneDNN's choice of instruction sets: the processor's, less what a variable forbids.

Both frameworks hold a oneDNN of their own, and neither lets it be asked. It dispatches as described
in https://uxlfoundation.github.io/oneDNN/dev_guide_cpu_dispatcher_control.html
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from opperf.core.environment.files import ROOT
from opperf.core.environment.instruction_sets import instruction_sets

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

LEVELS: Mapping[str, tuple[str, ...]] = {
    "sse41": ("sse4_1",),
    "avx": ("avx",),
    "avx2": ("avx2", "fma"),
    "avx512_core": ("avx512f", "avx512dq", "avx512bw", "avx512vl"),
    "avx512_core_vnni": ("avx512_vnni",),
    "avx512_core_bf16": ("avx512_bf16",),
    "avx512_core_fp16": ("avx512_fp16",),
    "avx512_core_amx": ("amx_tile", "amx_int8", "amx_bf16"),
}
"""Its names for them, each with the processor's flags that it adds to those of all before it."""
BRANCHES = {
    "avx2_vnni": "avx2",
    "avx2_vnni_2": "avx2",
    "avx10_1_512": "avx512_core_fp16",
    "avx10_1_512_amx": "avx512_core_amx",
}
"""Limits beside that row, or by another name, and the level of the row up to which they allow."""


@dataclass(frozen=True)
class OneDNN:
    """One build of oneDNN: the variables that limit it, of which the first one set counts."""

    variables: tuple[str, ...]
    any_case: bool = True

    def limit(self, environ: Mapping[str, str] = os.environ) -> tuple[str, str] | None:
        """Return the variable that limits it and the level up to which it allows.

        A value that oneDNN does not know limits nothing.
        """
        name = next((name for name in self.variables if environ.get(name)), None)
        if name is None:
            return None
        value = environ[name]
        if not self.any_case and value != value.upper():
            return None
        level = BRANCHES.get(value.lower(), value.lower())
        return (name, level) if level in LEVELS else None

    def level(self, environ: Mapping[str, str] = os.environ, root: Path = ROOT) -> str | None:
        """Return the highest level that it may use, None if there is none or it is not known."""
        limit = self.limit(environ)
        reached = None
        for level, flags in LEVELS.items():
            if not set(flags) <= set(instruction_sets(root) or ()):
                break
            reached = level
            if limit and level == limit[1]:
                break
        return reached

    def shortage(
        self, level: str, environ: Mapping[str, str] = os.environ, root: Path = ROOT
    ) -> str | None:
        """Say why it may not use a level; None where it may, or where nobody knows."""
        sets = instruction_sets(root)
        if sets is None:
            return None
        if missing := [flag for flag in flags_of(level) if flag not in sets]:
            return f"needs {level}; this processor lacks {', '.join(missing)}"
        names, limit = list(LEVELS), self.limit(environ)
        if limit and names.index(limit[1]) < names.index(level):
            return f"needs {level}; {limit[0]} forbids what is above {limit[1]}"
        return None


def flags_of(level: str) -> Sequence[str]:
    """Return all flags that a level needs."""
    names = list(LEVELS)
    return [flag for name in names[: names.index(level) + 1] for flag in LEVELS[name]]
