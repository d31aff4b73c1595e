"""Measuring specifications' tests in a run of their own, and going on with one."""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from opperf.cli.common.manifest import limits_from
from opperf.cli.common.messages import say
from opperf.cli.common.options import command_line, limits_of, memory_of, parse_variables
from opperf.cli.common.stores import named_store
from opperf.cli.networks.run import ModelRun
from opperf.cli.specs.output import SpecsOutput
from opperf.core.errors import UsageError
from opperf.specs.measuring.arrays import plain_name
from opperf.specs.measuring.campaign import SpecCampaign
from opperf.specs.measuring.task import spec_task_from
from opperf.storing import Journal
from opperf.storing.manifest import SPEC_RUN

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Mapping, Sequence

    from opperf.core.configuration.options import Configuration
    from opperf.core.results.result import Result
    from opperf.planning.task import Task
    from opperf.specs.measuring.task import SpecTask
    from opperf.storing import RunDirectory
    from opperf.storing.database.connection import Database

    Report = Callable[[Sequence[Result]], None]


def tell_nobody(results: Sequence[Result]) -> None:
    """Report to nobody."""
    del results


@dataclass(frozen=True, kw_only=True)
class SpecRun(ModelRun):
    """Tests, the interpreter that runs them, and whom their results are reported to at last."""

    python: str = sys.executable
    report: Report = tell_nobody

    def campaign(self, tasks: Sequence[Task], session: int, run_id: str | None) -> SpecCampaign:
        """Return what measures these tests in processes of its own."""
        return SpecCampaign(
            tasks, self.limits, self.variables, self.labels(session, run_id), python=self.python
        )

    def conclude(self, results: Sequence[Result]) -> None:
        """Report the results."""
        self.report(results)


def add_saving(parser: ArgumentParser) -> None:
    """Add the flag that makes golden outputs."""
    parser.add_argument(
        "--save-outputs", "--save_outputs", metavar="DIR",
        help="write the outputs of each test as .npy files, and time nothing",
    )  # fmt: skip


def saving(tasks: Sequence[SpecTask], folder: Path) -> list[SpecTask]:
    """Return the tests as they write their outputs, each into a folder of its identifier.

    Raises:
        UsageError: two would write into one folder, or it is there already.
    """
    found: dict[Path, SpecTask] = {}
    for task in tasks:
        place = folder.absolute() / plain_name(task.identifier)
        if place in found:
            both = f"{found[place].framework} and {task.framework}"
            raise UsageError(
                f"--save-outputs: {both} would both write {place.name}; give one --framework, "
                "and each test an identifier of its own"
            )
        if place.exists():
            raise UsageError(f"--save-outputs: {place} exists; remove it, or give another folder")
        found[place] = replace(task, save=str(place), golden={}, check_only=True)
    return [*found.values()]


def run_tests(
    tasks: Sequence[SpecTask],
    arguments: Namespace,
    configuration: Configuration,
    *,
    report: Report,
) -> int:
    """Measure tests in a new run, show them, and return the exit code.

    Args:
        tasks: the tests.
        arguments: what was typed: `sessions`, `env`, `tag`, `given` and those of an output;
            `program`, the interpreter of the children, None for this one; `save_outputs`, a folder
            for golden outputs, None where none are to be made.
        configuration: the limits, and where runs and stores are.
        report: is given all results once they are kept and shown.

    Raises:
        UsageError: no framework can be loaded, or one lacks the device.

    """
    if arguments.save_outputs is not None:
        tasks = saving(tasks, Path(arguments.save_outputs))
    run = SpecRun(
        tasks=tasks,
        sessions=arguments.sessions,
        limits=limits_of(configuration, memory_of(configuration)),
        variables=parse_variables(arguments.env),
        command=command_line("spec", arguments.given),
        tags=tuple(arguments.tag),
        python=arguments.program or sys.executable,
        report=report,
    )
    manifest = {
        "kind": SPEC_RUN,
        "command": run.command,
        "tags": [*run.tags],
        "variables": run.variables,
        "limits": asdict(run.limits),
        "sessions": run.sessions,
        "python": run.python,
        "tasks": [asdict(task) for task in tasks],
    }
    output, store = SpecsOutput.of(arguments), named_store(configuration)
    return run.begin(Path(configuration["runs_dir"].value), manifest, output, store)


def resume_tests(
    directory: RunDirectory,
    manifest: Mapping[str, Any],
    arguments: Namespace,
    store: Database | None,
) -> int:
    """Measure what the run's sessions lack; the journal is locked meanwhile."""
    if arguments.unreliable:
        raise UsageError(
            f"--unreliable: {directory.run_id} is of specifications; give more --sessions"
        )
    run = SpecRun(
        tasks=[*map(spec_task_from, manifest["tasks"])],
        sessions=manifest["sessions"],
        limits=limits_from(manifest["limits"]),
        variables=manifest["variables"],
        command=manifest["command"],
        tags=tuple(manifest["tags"]),
        python=manifest["python"],
    )
    with Journal(directory.results_path) as journal:
        if journal.found.warning:
            say(journal.found.warning)
        return run.go_on(directory, journal, SpecsOutput.of(arguments), store)
