"""Running a job in a process of its own, under watch, and reading what it has left behind."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from msgspec import DecodeError, Struct
from msgspec.json import decode

from opperf.core.results.parts import Positive
from opperf.methods.report import MethodMetric, MethodReport
from opperf.watching.command import WatchCommand
from opperf.watching.watch import WatchOptions, watch

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from opperf.watching.ending import Ending
    from opperf.watching.log import RotatedLog
    from opperf.watching.usage import TreeSample

PACKAGE = Path(__file__).parents[1]
PROGRAM = """\
import sys
from importlib.util import module_from_spec, spec_from_file_location
if "" in sys.path:  # the folder, last: a file there hides no module of a library
    sys.path.remove("")
    sys.path.append("")
job, package = sys.argv[1:]
# From where it runs, not by sys.path: an interpreter of its own may have another opperf, or none.
spec = spec_from_file_location("opperf", package + "/__init__.py")
sys.modules["opperf"] = module_from_spec(spec)
spec.loader.exec_module(sys.modules["opperf"])
from opperf.methods.child import main
main(job)
"""
ANSWER = "answer.json"
LARGEST = 2**24
"""Bytes of an answer."""
Float = float | str | None
"""A number; one that JSON does not know is a text."""


class MetricAnswer(Struct, kw_only=True, forbid_unknown_fields=True):
    """A metric as the process has written it."""

    name: str
    value: Float
    min_value: Float
    max_value: Float
    succeeded: bool | None
    description: str | None
    unit: str


class ReportAnswer(Struct, kw_only=True, forbid_unknown_fields=True):
    """A report as the process has written it."""

    iterations: Positive | None
    wall_time: Float
    metrics: list[MetricAnswer]

    def read(self) -> MethodReport:
        """Return the report."""
        return MethodReport(
            iterations=self.iterations,
            wall_time=number_of(self.wall_time),
            metrics=tuple(
                MethodMetric(
                    name=each.name,
                    value=number_of(each.value),
                    min_value=number_of(each.min_value),
                    max_value=number_of(each.max_value),
                    succeeded=each.succeeded,
                    description=each.description,
                    unit=each.unit,
                )
                for each in self.metrics
            ),
        )


class FrameworkAnswer(Struct, kw_only=True, forbid_unknown_fields=True, frozen=True):
    """The framework that the method has imported."""

    name: str | None = None
    version: str | None = None
    commit: str | None = None


class TraceAnswer(Struct, kw_only=True, forbid_unknown_fields=True):
    """A window in which a profiler was to record: the file that it has written, or why none."""

    window: str | None
    framework: str | None
    file: str | None
    reason: str | None


class Answered(Struct, kw_only=True, forbid_unknown_fields=True):
    """All that the process may have written."""

    name: str | None = None
    methods: list[str] = []
    fault: str | None = None
    finished: bool = False
    exception: str | None = None
    report: ReportAnswer | None = None
    reports: int = 0
    framework: FrameworkAnswer = FrameworkAnswer()
    traces: list[TraceAnswer] = []

    def read_report(self) -> MethodReport:
        """Return the report that counts, an empty one where there is none."""
        return self.report.read() if self.report else MethodReport()


@dataclass(frozen=True, kw_only=True)
class Surroundings:
    """Where and how the processes of methods run.

    Args:
        python_paths: folders of modules before all others.
        variables: of their environment.
        timeout: seconds after which each is ended.
        windows: when profilers record, as texts.
        python: the interpreter that runs them.
        debug: whether what they log for debugging is kept as well.
        on_lines: called with what they print, as it comes.
    """

    python_paths: Sequence[str] = ()
    variables: Mapping[str, str] | None = None
    timeout: float | None = None
    windows: Sequence[str] = ()
    python: str = sys.executable
    debug: bool = False
    on_lines: Callable[[bytes], None] | None = None

    def within(self, seconds: float) -> Surroundings:
        """Return the same with another time."""
        return replace(self, timeout=seconds)


def run_job(
    job: Mapping[str, Any],
    surroundings: Surroundings,
    log: RotatedLog | None = None,
    on_sample: Callable[[TreeSample], None] | None = None,
) -> tuple[Ending, Answered]:
    """Return how a job's process ended, and what it has left behind."""
    with TemporaryDirectory(prefix="opperf-method-") as folder:
        answer, path = Path(folder, ANSWER), Path(folder, "job.json")
        path.write_text(json.dumps({**job, "answer": str(answer)}), encoding="utf-8")
        command = WatchCommand(
            program=surroundings.python,
            arguments=["-c", PROGRAM, str(path), str(PACKAGE)],
            python_paths=surroundings.python_paths,
            variables={"PYTHONUNBUFFERED": "1", **(surroundings.variables or {})},
        )
        options = WatchOptions(
            timeout=surroundings.timeout,
            log=log,
            on_lines=surroundings.on_lines,
            on_sample=on_sample,
        )
        ending = watch(command, options)
        return ending, read_answer(answer)


def read_answer(path: Path) -> Answered:
    """Return what a process has left behind: nothing where it had no time for it.

    The method's own code may reach the file: what is not as the process writes it is a fault.
    """
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError:
        return Answered()
    if len(data) > LARGEST:
        return Answered(fault=f"its report has more than {LARGEST >> 20} MiB")
    try:
        answered = decode(data, type=Answered)
        answered.read_report()
    except (DecodeError, RecursionError, ValueError) as error:
        return Answered(fault=f"its report is damaged: {error}")
    return answered


def number_of(value: Float) -> float | None:
    """Return the number of an answer."""
    return None if value is None else float(value)
