"""What run.json says was asked for, as the values that measure it again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.cli.common.options import share_of_memory
from opperf.core.configuration.settings import Settings
from opperf.measuring.worker.handle import Limits
from opperf.planning.selection import Selection

if TYPE_CHECKING:
    from collections.abc import Mapping


def is_sweep(manifest: Mapping[str, Any]) -> bool:
    """Return whether the run is a sweep over sizes; older manifests do not say so."""
    return manifest["selection"].get("sweep") is True


def selection_from(fields: Mapping[str, Any]) -> Selection:
    """Return the selection as it was stored; earlier ones knew one device a run."""
    if "device" in fields:
        others = {name: value for name, value in fields.items() if name != "device"}
        return selection_from({**others, "devices": [fields["device"]]})
    names = ("frameworks", "sizes", "devices", "threads")
    settings = Settings(**fields["settings"])
    lists = {name: tuple(fields[name]) for name in names if name in fields}
    lists.setdefault("threads", (settings.threads,))
    return Selection(**{**fields, **lists, "settings": settings})


def limits_from(fields: Mapping[str, Any]) -> Limits:
    """Return the limits as they were stored."""
    times = {name: float(fields[name]) for name in ("timeout", "compile_timeout")}
    memory = fields["memory"]
    return Limits(**times, memory=memory, together=max(memory or 0, share_of_memory() or 0) or None)
