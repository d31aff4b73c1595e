"""What a host is, found by itself: what jobs may ask of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.comparing.arms.lock import python_tag
from opperf.core.environment import collect
from opperf.core.environment.kind import kind_key
from opperf.core.frameworks.registry import find_framework, framework_names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SLOT = "slot"
"""The Dask resource of which each host has one: it measures one thing at a time."""


def host_facts(name: str, tags: Sequence[str]) -> dict[str, Any]:
    """Return the facts of this machine under its name, ready for JSON.

    `kind` is the same for hosts whose times can be compared.
    """
    found: dict[str, Any] = collect()
    packages = found["packages"] or {}
    installed = {
        one: str(packages.get(find_framework(one).module, "installed"))
        for one in framework_names()
        if find_framework(one).is_installed()
    }
    return {
        "host": name,
        "kind": kind_key(found),
        "cpu": found["cpu"],
        "cores": found["cores"],
        "isa": found["instruction_sets"] or [],
        "gpu": found["gpu"] or [],
        "memory_bytes": found["memory_bytes"],
        "os": found["os"],
        "python": python_tag(),
        "frameworks": installed,
        "tag": [*tags],
    }


def dask_resources(facts: Mapping[str, Any]) -> dict[str, float]:
    """Return the resources by which Dask knows a host: its slot, and a unit of each fact."""
    several = [
        *(f"isa:{one}" for one in facts["isa"]),
        *(f"gpu:{one}" for one in dict.fromkeys(facts["gpu"])),
        *(f"tag:{one}" for one in facts["tag"]),
        *(f"framework:{one}" for one in facts["frameworks"]),
    ]
    single = [f"host:{facts['host']}", f"kind:{facts['kind']}", f"cpu:{facts['cpu']}"]
    return {
        SLOT: 1.0,
        "memory": float(facts["memory_bytes"] or 0),
        **dict.fromkeys((*single, *several), 1.0),
    }
