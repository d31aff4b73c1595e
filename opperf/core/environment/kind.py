"""The kind of a host: what must be equal for the times of two hosts to be comparable.

That is what chooses the code that runs and bounds its speed: processor, caches, cores, instruction
sets, GPUs, the class of memory, and whether a hypervisor is below. Versions of frameworks and
systems are no part of it: they change while a host stays what it is, and a history is there to see
what such a change did.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

SAME = (
    "cpu", "architecture", "physical_cores", "cores", "sockets", "caches", "hypervisor", "gpu",
)  # fmt: skip
TRADE = re.compile(r"\((?:R|TM|C)\)|\bCPU\b|\bProcessor\b|@.*$|\d+-Core", re.IGNORECASE)
"""What a processor's name says beside its model."""


def kind_key(facts: Mapping[str, object]) -> str:
    """Return 16 hexadecimal digits that are the same for all hosts of a kind."""
    same = {name: facts.get(name) for name in SAME}
    sets = facts.get("instruction_sets")
    same["instruction_sets"] = sorted(map(str, sets)) if isinstance(sets, (list, tuple)) else None
    same["memory"] = memory_class(facts.get("memory_bytes"))
    return hashlib.sha256(json.dumps(same, sort_keys=True).encode()).hexdigest()[:16]


def kind_name(facts: Mapping[str, object]) -> str:
    """Return what people call a kind, such as `AMD EPYC 7B13 x64, 256 GiB`; x64 is its cores.

    Two kinds may have one name where they differ in what it leaves out, such as instruction sets.
    """
    cpu = " ".join(TRADE.sub(" ", str(facts.get("cpu") or "")).split()) or "unknown processor"
    cores, memory = facts.get("cores"), memory_class(facts.get("memory_bytes"))
    gpus = facts.get("gpu")
    parts = [f"{cpu} x{cores}" if isinstance(cores, int) else cpu]
    parts += [f"{memory} GiB"] if memory else []
    if isinstance(gpus, (list, tuple)) and gpus:
        parts.append(f"{gpus[0]}" + (f" x{len(gpus)}" if len(gpus) > 1 else ""))
    return ", ".join(parts)


def memory_class(size: object) -> int | None:
    """Return the GiB of the memory, as the next power of two.

    What the kernel manages is a little less than what is built in, by an amount that varies.
    """
    if not isinstance(size, int) or isinstance(size, bool) or size <= 0:
        return None
    return int(1 << max(-(-size // 2**30) - 1, 0).bit_length())
