"""One run of a benchmark method: a folder and a process of its own, and how it ended."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from opperf.core.environment import collect
from opperf.core.errors import UsageError, quote_path
from opperf.methods.process import run_job
from opperf.methods.process_info import NAME as PROCESS_INFO
from opperf.methods.process_info import ProcessInfoLog
from opperf.methods.profiling import PROFILER_DATA
from opperf.methods.verdict import judge_run
from opperf.watching.log import RotatedLog

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from opperf.methods.process import Answered, Surroundings, TraceAnswer
    from opperf.methods.verdict import MethodVerdict
    from opperf.watching.ending import Ending

LOG = "perfzero.log"
"""What is in the folder beside what the method puts there, and its summary."""


@dataclass(frozen=True, kw_only=True)
class MethodRun:
    """A method that has run: when and where, how its process ended, and what it said."""

    name: str
    moment: float
    execution_id: str
    folder: Path
    ending: Ending
    answered: Answered
    verdict: MethodVerdict
    environment: dict[str, Any]
    windows: Sequence[str] = ()

    def trace_path(self, trace: TraceAnswer) -> Path | None:
        """Return the file of a trace, None where the process has named none that is there."""
        folder = self.folder / PROFILER_DATA
        name = trace.file or ""
        return folder / name if name in {path.name for path in folder.glob("*")} else None


def run_method(name: str, output: Path, data_dir: str, surroundings: Surroundings) -> MethodRun:
    """Run a method in a fresh process; what it prints goes into its log.

    Args:
        name: its dotted path.
        output: where its folder is made.
        data_dir: where the data sets lie.
        surroundings: what its process has.

    Raises:
        UsageError: the folder cannot be made.
    """
    moment, folder = make_folder(output)
    log, samples = RotatedLog(folder / LOG), ProcessInfoLog(folder / PROCESS_INFO)
    job = {
        "name": name,
        "output_dir": str(folder),
        "data_dir": data_dir,
        "windows": [*surroundings.windows],
        "debug": surroundings.debug,
    }
    try:
        ending, answered = run_job(job, surroundings, log, samples.take)
    finally:
        log.close()
        samples.close()
    return MethodRun(
        name=name, moment=moment, execution_id=folder.name, folder=folder, ending=ending,
        answered=answered, verdict=judge_run(ending, answered),
        environment=collect(
            {"name": answered.framework.name, "version": answered.framework.version}
        ),
        windows=surroundings.windows,
    )  # fmt: skip


def make_folder(output: Path) -> tuple[float, Path]:
    """Return the time, and the folder of an execution by the name of it, which no other one has."""
    while True:
        moment = time.time()
        stamp = datetime.fromtimestamp(moment, timezone.utc)
        folder = output / stamp.strftime("%Y-%m-%d-%H-%M-%S-%f")
        try:
            output.mkdir(parents=True, exist_ok=True)
            folder.mkdir()
        except FileExistsError:
            if not output.is_dir():
                raise UsageError(f"cannot write {quote_path(output)}: it is no directory") from None
        except OSError as error:
            raise UsageError(f"cannot write {quote_path(folder)}: {error.strerror}") from error
        else:
            return moment, folder
