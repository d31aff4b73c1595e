"""Which reporters there are, built in and plugged in, by their names."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from opperf.core.errors import OpperfError, UsageError, unknown
from opperf.core.plugins import plug_ins, plugin_errors

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from importlib.metadata import EntryPoint

    from opperf.specs.reporters.meta import Meta, Reporter

GROUP = "opperf.spec_reporters"
"""The entry points; those of `opperf.reporters` are forms of output."""
BUILT_IN = {
    "local": "opperf.specs.reporters.local:LocalReporter",
    "remote": "opperf.specs.reporters.remote:RemoteReporter",
    "screen": "opperf.reporting.screen:ScreenReporter",
}


class PluggedReporter:
    """A plug-in's reporter, whose errors name the plug-in."""

    def __init__(self, point: EntryPoint, target: str) -> None:
        self.point = point
        with plugin_errors(point):
            self.reporter = point.load()(target)
            if not callable(getattr(self.reporter, "report", None)):
                raise UsageError("its reporter has no method report(records, meta)")

    def report(self, records: Sequence[Mapping[str, Any]], meta: Meta) -> str:
        """Have it report."""
        try:
            return str(self.reporter.report(records, meta) or "")
        except OpperfError:
            raise
        except BaseException:
            with plugin_errors(self.point, "cannot report"):
                raise


def find_reporter(name: str, target: str) -> Reporter:
    """Return the reporter of this name, told where to report.

    Raises:
        UsageError: there is none of this name, it cannot be loaded, or not report there.
    """
    if name in BUILT_IN:
        module, attribute = BUILT_IN[name].split(":")
        return cast("Reporter", getattr(import_module(module), attribute)(target))
    for point in plug_ins(GROUP, name):
        return PluggedReporter(point, target)
    names = {*BUILT_IN, *(point.name for point in plug_ins(GROUP))}
    raise UsageError(unknown("reporter", name, names))
