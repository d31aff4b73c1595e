"""OpenBLAS, which can be asked for which processor its kernels were chosen."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

from opperf.core.environment.files import ROOT, read_text

SYMBOLS = ("openblas_get_corename", "openblas_get_corename64_")
"""The second one where whole numbers of 64 bits index the matrices, as NumPy's wheels have it."""


def core_name(package: str, root: Path = ROOT) -> str | None:
    """Return what the OpenBLAS calls its processor that this process has loaded for a package.

    `package` stands in the path of the library. None where there is none, or it does not say.
    """
    for path in mapped_files(root):
        if package in path.parent.name and "openblas" in path.name:
            return ask(path)
    return None


def mapped_files(root: Path) -> list[Path]:
    """Return the files that this process has mapped."""
    lines = (read_text(root / "proc/self/maps") or "").splitlines()
    names = (line[line.index("/") :] for line in lines if "/" in line)
    return [Path(name) for name in dict.fromkeys(names)]


def ask(library: Path) -> str | None:
    """Return the core that a loaded OpenBLAS reports; does not load the library."""
    try:
        handle = ctypes.CDLL(str(library), mode=os.RTLD_NOLOAD | os.RTLD_LAZY)
    except OSError:
        return None
    for symbol in SYMBOLS:
        if function := getattr(handle, symbol, None):
            function.restype = ctypes.c_char_p
            answer: bytes | None = function()
            return answer.decode(errors="replace") if answer else None
    return None
