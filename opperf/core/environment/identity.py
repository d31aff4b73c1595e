"""The machine's key: the same for as long as the machine is."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

STABLE = ("cpu", "architecture", "physical_cores", "cores", "sockets", "gpu")
"""No clock rate, host name, load or version: these change while the machine does not."""


def machine_key(facts: Mapping[str, object]) -> str:
    """Return 16 hexadecimal digits that depend on the stable facts alone."""
    stable = {name: facts.get(name) for name in STABLE}
    stable["memory"] = gibibytes(facts.get("memory_bytes"))
    return hashlib.sha256(json.dumps(stable, sort_keys=True).encode()).hexdigest()[:16]


def gibibytes(size: object) -> int | None:
    """Return whole GiB: the kernel's own share of the memory varies with its version."""
    return round(size / 2**30) if isinstance(size, int) else None
