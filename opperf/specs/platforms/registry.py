"""Which platforms there are, built in and plugged in."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, cast

from opperf.core.errors import UsageError, unknown
from opperf.core.plugins import plug_ins, plugin_errors
from opperf.specs.platforms.platform import Platform

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "opperf.platforms"
BUILT_IN = {
    "cpu": "opperf.specs.platforms.host:CPU",
    "cuda": "opperf.specs.platforms.host:CUDA",
    "adb": "opperf.specs.platforms.adb:ADB",
}
ALIASES = {"host": "cpu", "gpu": "cuda", "android": "adb"}
"""What FAI-PEP calls them."""


def platform_names() -> tuple[str, ...]:
    """Return the names of all platforms."""
    plugged_in = {point.name for point in plug_ins(GROUP)}
    return (*BUILT_IN, *sorted(plugged_in - set(BUILT_IN)))


def find_platform(text: str) -> Platform:
    """Return the platform that --platform names; what follows a slash is for reports only.

    Raises:
        UsageError: There is none of this name, or its plug-in is broken.
    """
    first = text.partition("/")[0]
    name = ALIASES.get(first, first)
    if name in BUILT_IN:
        module, attribute = BUILT_IN[name].split(":")
        return cast("Platform", getattr(import_module(module), attribute))
    for point in plug_ins(GROUP):
        if point.name == name:
            return platform_of(point)
    raise UsageError(unknown("platform", name, {*platform_names(), *ALIASES}))


def platform_of(point: EntryPoint) -> Platform:
    """Return the platform that an entry point names."""
    with plugin_errors(point):
        found = point.load()
        if not isinstance(found, Platform):
            raise UsageError(f"it is {type(found).__name__}, and must be a Platform")
        return found
