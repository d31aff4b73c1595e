"""torch.compile: whether it can work here, and loading what it needs."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cache
from shutil import which
from typing import Any

from opperf.core.errors import UnsupportedError


def require_compiler() -> None:
    """Raise where there is no C++ compiler.

    Raises:
        UnsupportedError: it says which one is missing.
    """
    name = os.environ.get("CXX", "g++")
    if not which(name):
        raise UnsupportedError(f"torch.compile needs a C++ compiler, and finds no {name!r}")


@cache
def load(torch: Any) -> None:
    """Load what torch.compile needs, once: the first compilation does, whatever it compiles.

    What fails here fails again where an operator is compiled, and is told then.
    """
    with suppress(Exception):
        require_compiler()
        data = torch.ones(1, requires_grad=True)
        torch.compile(torch.relu)(data).backward()
