"""Which frameworks there are, built in and plugged in; finding one does not import it."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from opperf.core import plugins
from opperf.core.errors import NotInstalledError, UsageError, unknown
from opperf.core.frameworks.framework import Framework
from opperf.core.frameworks.variant import variants_of_today
from opperf.core.plugins import plugin_errors

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from importlib.metadata import EntryPoint

GROUP = "opperf.frameworks"
BUILT_IN = {
    "mxnet": "opperf.mxnet_benchmarks:FRAMEWORK",
    "pytorch": "opperf.pytorch_benchmarks:FRAMEWORK",
    "numpy": "opperf.numpy_benchmarks:FRAMEWORK",
}
MEASURED = ("mxnet", "pytorch")
"""The built-in frameworks that a run measures when none is named; NumPy is the reference."""


def framework_names() -> tuple[str, ...]:
    """Return the names of all frameworks, built in and plugged in."""
    return (*BUILT_IN, *sorted({point.name for point in plug_ins()} - set(BUILT_IN)))


def plug_ins() -> Sequence[Any]:
    """Return the entry points of further frameworks."""
    return plugins.plug_ins(GROUP)


def framework_of(point: EntryPoint) -> Framework:
    """Return the framework that an entry point names."""
    with plugin_errors(point), variants_of_today():
        found = point.load()
        if not isinstance(found, Framework):
            raise UsageError(f"it is {type(found).__name__}, and must be a Framework")
        return found


@cache
def find_framework(name: str) -> Framework:
    """Return the framework of this name, without importing what it measures."""
    if name in BUILT_IN:
        module, attribute = BUILT_IN[name].split(":")
        return cast("Framework", getattr(import_module(module), attribute))
    for point in plug_ins():
        if point.name == name:
            return framework_of(point)
    raise UsageError(unknown("framework", name, framework_names()))


def require_installed(framework: Framework) -> None:
    """Raise an error with the remedy where the framework is not installed."""
    if not framework.is_installed():
        raise NotInstalledError(
            f"framework {framework.name!r} is not installed here; "
            f"install it with: pip install 'opperf[{framework.extra}]'"
        )


def default_framework(environ: Mapping[str, str]) -> Framework:
    """Return OPPERF_FRAMEWORK's, else the first installed of the measured ones; never NumPy."""
    named = environ.get("OPPERF_FRAMEWORK")
    if named:
        return find_framework(named)
    for name in MEASURED:
        if (framework := find_framework(name)).is_installed():
            return framework
    raise NotInstalledError(
        "no framework to measure is installed; "
        "install one with: pip install 'opperf[mxnet]' or pip install 'opperf[pytorch]'"
    )
