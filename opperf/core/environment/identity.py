"""The machine's key: the same for as long as the machine is."""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING

from opperf.core.environment.variables import HOST
from opperf.core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

STABLE = ("cpu", "architecture", "physical_cores", "cores", "sockets", "gpu")
"""No clock rate, load or version: these change while the machine does not."""
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


def machine_key(facts: Mapping[str, object]) -> str:
    """Return 16 hexadecimal digits that depend on the stable facts alone.

    Of two machines that are alike they are the same, unless their hosts have names of their own.
    """
    stable = {name: facts.get(name) for name in STABLE}
    stable["memory"] = gibibytes(facts.get("memory_bytes"))
    if facts.get("host") is not None:
        stable["host"] = facts["host"]
    return hashlib.sha256(json.dumps(stable, sort_keys=True).encode()).hexdigest()[:16]


def host_name(environ: Mapping[str, str]) -> str | None:
    """Return the name that this host goes by in results, None where nobody gave it one.

    It is not the system's: that of a container or a rented machine is another one each day.

    Raises:
        UsageError: It is no name.
    """
    name = environ.get(HOST) or None
    if name is not None and not NAME.fullmatch(name):
        raise UsageError(
            f"{HOST} {name!r:.80}: a host's name is at most 64 letters, digits, '.', '_' and '-'"
        )
    return name


def gibibytes(size: object) -> int | None:
    """Return whole GiB: the kernel's own share of the memory varies with its version."""
    return round(size / 2**30) if isinstance(size, int) else None
