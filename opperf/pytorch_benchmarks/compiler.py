"""torch.compile: whether it can work here, and loading what it needs."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cache
from pathlib import Path
from shutil import which
from tempfile import gettempdir
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Mapping

CAPABILITY = "ATEN_CPU_CAPABILITY"


def require_compiler() -> None:
    """Raise where there is no C++ compiler.

    Raises:
        UnsupportedError: it says which one is missing.
    """
    name = os.environ.get("CXX", "g++")
    if not which(name):
        raise UnsupportedError(f"torch.compile needs a C++ compiler, and finds no {name!r}")


def cache_settings(environ: Mapping[str, str]) -> dict[str, str]:
    """Return a separate cache folder for code compiled for a limited instruction set.

    TorchInductor finds its compiled graphs by what they compute, whatever ATEN_CPU_CAPABILITY says:
    under avx2, in a folder that was filled without it, graphs give wrong numbers and crash.
    """
    capability = environ.get(CAPABILITY, "")
    if not capability.isalnum():
        return {}
    name = f"torchinductor_{os.getuid()}_{capability}"
    return {"TORCHINDUCTOR_CACHE_DIR": str(Path(gettempdir(), name))}


@cache
def load(torch: Any) -> None:
    """Load what torch.compile needs, by a first compilation.

    An error here occurs again where an operator is compiled, and is reported then.
    """
    with suppress(Exception):
        require_compiler()
        data = torch.ones(1, requires_grad=True)
        torch.compile(torch.relu)(data).backward()
