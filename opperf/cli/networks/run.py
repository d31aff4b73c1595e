"""Measuring networks: session by session, each network in a child of its framework."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.cli.common.exit_codes import INTERRUPTED
from opperf.cli.common.messages import say
from opperf.cli.networks.experiment_log import write_logs
from opperf.cli.running.conduct import Recorder, exit_code, headline, put_into
from opperf.cli.running.frameworks import loading
from opperf.cli.running.interrupt import interruptible
from opperf.core.results.superseding import counting
from opperf.measuring.campaign import Campaign, Labels
from opperf.planning.due import missing_from
from opperf.reporting.subjects import Run
from opperf.storing import Journal, RunDirectory

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from opperf.cli.common.output import Output
    from opperf.cli.running.interrupt import Interrupt
    from opperf.core.results.result import Result
    from opperf.measuring.worker.handle import Limits
    from opperf.planning.task import Task
    from opperf.storing.database.connection import Database


@dataclass(frozen=True, kw_only=True)
class ModelRun:
    """What is measured in each session, and in which way."""

    tasks: Sequence[Task]
    sessions: int
    limits: Limits
    variables: Mapping[str, str]
    command: str
    tags: tuple[str, ...] = ()
    logs: tuple[str, ...] = ()
    """For each task the file of its log lines, empty where it has none."""

    def begin(
        self, runs_dir: Path, manifest: Mapping[str, Any], output: Output, store: Database | None
    ) -> int:
        """Make the run's folder, load the frameworks, and measure."""
        directory = RunDirectory.create(runs_dir, {**manifest, "packages": {}})
        campaign = self.campaign(self.tasks, 0, directory.run_id)
        with loading(campaign, directory), Journal(directory.results_path) as journal:
            return self.go_on(directory, journal, output, store, begun=campaign)

    def go_on(
        self,
        directory: RunDirectory,
        journal: Journal,
        output: Output,
        store: Database | None,
        *,
        begun: Campaign | None = None,
    ) -> int:
        """Measure what the journal lacks, show all of it, and return the exit code."""
        results = [*journal.found.results]
        with interruptible() as interrupt:
            for session in range(self.sessions):
                there = [one for one in counting(results) if one.session == session]
                due = missing_from(self.tasks, there)
                if not due or interrupt.pressed:
                    continue
                if begun is not None and session == 0:
                    self.measure(begun, due, (directory, journal, results), output, interrupt)
                    for worker in (*begun.workers.values(), *begun.memory_workers.values()):
                        worker.stop()
                    continue
                with self.campaign(due, session, directory.run_id).children() as campaign:
                    if not directory.manifest()["packages"]:  # interrupted while they were loaded
                        directory.add_packages(campaign.packages())
                    self.measure(campaign, due, (directory, journal, results), output, interrupt)
        output.show(Run(name=directory.label, results=counting(results)))
        self.conclude(counting(results))
        if not output.quiet:
            say(f"results: {directory.results_path}")
        if store is not None:
            put_into(store, directory, quiet=output.quiet)
        if interrupt.pressed:
            say(f"interrupted; go on with: opperf resume {directory.run_id}")
            return INTERRUPTED
        return exit_code(counting(results))

    def conclude(self, results: Sequence[Result]) -> None:
        """Write the logs of what has one."""
        write_logs(self.tasks, self.logs, results)

    def measure(
        self,
        campaign: Campaign,
        tasks: Sequence[Task],
        place: tuple[RunDirectory, Journal, list[Result]],
        output: Output,
        interrupt: Interrupt,
    ) -> None:
        """Measure tasks one after the other, and save what comes of each."""
        directory, journal, results = place
        log = Recorder(campaign, directory, journal, results)
        calls = ((task, partial(campaign.measure, task)) for task in tasks)
        log.stage(output, interrupt, tasks, calls, headline(campaign, directory))

    def campaign(self, tasks: Sequence[Task], session: int, run_id: str | None) -> Campaign:
        """Return what measures these tasks in processes of its own."""
        return Campaign(
            tasks, self.limits, self.variables, self.labels(session, run_id), weigh=False
        )

    def labels(self, session: int, run_id: str | None) -> Labels:
        """Return what each record of a session says of the run."""
        return Labels(run_id=run_id, command=self.command, tags=self.tags, session=session)
