"""Carrying a plan out: measure, save, show, and stop in good order when asked to."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from shlex import quote
from typing import TYPE_CHECKING, Any

from opperf.cli.common.exit_codes import EMPTY, FAILED, FINE, INTERRUPTED
from opperf.cli.common.messages import say
from opperf.cli.common.output import PIPED
from opperf.cli.common.stores import import_journal
from opperf.cli.running.interrupt import interruptible
from opperf.core.errors import OpperfError
from opperf.core.machine.turns import local_turn
from opperf.core.results.status import TROUBLE
from opperf.core.results.superseding import counting
from opperf.core.version import VERSION
from opperf.planning.due import job_of_task, row_of_result
from opperf.reporting.live import live_lines
from opperf.reporting.progress import Progress
from opperf.reporting.reliability import unreliable_lines
from opperf.reporting.subjects import Run
from opperf.reporting.text import columns, is_ascii, wrap

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from opperf.cli.common.output import Output
    from opperf.cli.running.agenda import Agenda
    from opperf.cli.running.interrupt import Interrupt
    from opperf.core.results.result import Result
    from opperf.measuring.campaign import Campaign
    from opperf.measuring.worker.log import OutputLog
    from opperf.planning.task import Task
    from opperf.storing import Journal, RunDirectory
    from opperf.storing.database.connection import Database

    Measure = Callable[[], list[Result]]


def conduct(
    campaign: Campaign,
    agenda: Agenda,
    directory: RunDirectory,
    journal: Journal,
    output: Output,
    store: Database | None = None,
) -> int:
    """Measure the tasks, save each operator's results, show all of them; return the exit code.

    What was measured is put into the store, if there is one, from the journal and at the end: no
    database is written to while something is timed.
    """
    tasks = agenda.tasks
    log = Recorder(campaign, directory, journal, [*journal.found.results])
    with interruptible() as interrupt, local_turn(say):
        stage = partial(log.stage, output, interrupt)
        ahead = zip_longest(tasks, tasks[1:])
        calls = ((task, partial(campaign.measure, task, then)) for task, then in ahead)
        stage(tasks, calls, headline(campaign, directory))
        if doubtful := agenda.repeat(log.results):
            line = f"measuring {rows_in(doubtful)} unreliable times once more"
            stage(doubtful, log.again(doubtful), line)
        if beside := agenda.beside(log.counting()):
            alone = ((task, partial(campaign.measure, task)) for task in beside)
            stage(beside, alone, f"measuring {rows_in(beside)} of them with cold caches as well")
        if not interrupt.pressed:
            log.derive(agenda)
    results = log.counting()
    output.show(Run(name=directory.label, results=results))
    if not output.quiet:
        for line in unreliable_lines(
            log.results, f"opperf resume {quote(str(directory.path))} --unreliable"
        ):
            say(line)
        say(f"results: {directory.results_path}")
    if store is not None:
        put_into(store, directory, quiet=output.quiet)
    if interrupt.pressed:
        say(f"interrupted; go on with: opperf resume {directory.run_id}")
        return INTERRUPTED
    return exit_code(results)


@dataclass
class Recorder:
    """Carries measurements out and saves what comes of each; `results` are all in the journal."""

    campaign: Campaign
    directory: RunDirectory
    journal: Journal
    results: list[Result]

    def counting(self) -> list[Result]:
        """Return the results that count."""
        return counting(self.results)

    def stage(
        self,
        output: Output,
        interrupt: Interrupt,
        tasks: Sequence[Task],
        calls: Iterable[tuple[Task, Measure]],
        line: str,
    ) -> None:
        """Measure these tasks below a line that says so, unless Ctrl-C was pressed before."""
        if interrupt.pressed:
            return
        with progress_of(tasks, output) as progress:
            if progress:
                for part in wrap(line, columns(sys.stderr, PIPED)):
                    progress.write(part)
            self.record(calls, progress, interrupt)

    def record(
        self, calls: Iterable[tuple[Task, Measure]], progress: Progress | None, interrupt: Interrupt
    ) -> None:
        """Measure task by task until all are done or Ctrl-C is pressed."""
        try:
            for number, (task, measure) in enumerate(calls, start=len(self.results) + 1):
                if interrupt.pressed:
                    break
                found = carry_out(task, measure, progress)
                self.journal.append(found)
                log = self.campaign.workers[task.place].log
                keep_log(self.directory, number, log, found)
                self.results += found
        except KeyboardInterrupt:
            interrupt.pressed = True

    def derive(self, agenda: Agenda) -> None:
        """Save what follows from all results that count."""
        found = [self.campaign.label(result) for result in agenda.derive(self.counting())]
        if found:
            self.journal.append(found)
            self.results += found

    def again(self, tasks: Sequence[Task]) -> Iterator[tuple[Task, Measure]]:
        """Yield how to measure each task once more."""
        earlier = {row_of_result(result): result for result in self.counting()}
        for task in tasks:
            keys = {row: (*job_of_task(task), *row) for row in task.rows}
            first = {row: earlier[key] for row, key in keys.items()}
            yield task, partial(self.campaign.measure_again, task, first)


@contextmanager
def progress_of(tasks: Sequence[Task], output: Output) -> Iterator[Progress | None]:
    """Show how far the tasks have come, unless nothing is to be shown."""
    if output.quiet:
        yield None
        return
    progress = Progress(len(tasks), sys.stderr, keys=[key_of(task) for task in tasks])
    try:
        yield progress
    finally:
        progress.close()


def rows_in(tasks: Iterable[Task]) -> int:
    """Return how many rows tasks have."""
    return sum(len(task.rows) for task in tasks)


def put_into(store: Database, directory: RunDirectory, *, quiet: bool) -> None:
    """Put a run's journal into a store.

    Raises:
        OpperfError: It cannot be; the journal has everything, and the message says how to go on.
    """
    try:
        said = import_journal(store, directory.results_path)
    except OpperfError as error:
        kept = f"the results are in {directory.results_path}; put them there with `opperf import`"
        raise type(error)(f"{error}; {kept}") from error
    if not quiet:
        say(said)


def carry_out(task: Task, measure: Measure, progress: Progress | None) -> list[Result]:
    """Measure one task and show what came of it."""
    if progress is None:
        return measure()
    progress.start(f"{task.framework} {task.operator}", key_of(task))
    began = time.monotonic()
    results = measure()
    statuses = [result.status for result in results if not result.companion]
    progress.finish(statuses, time.monotonic() - began)
    width, ascii_only = columns(sys.stderr, PIPED), is_ascii(sys.stderr)
    for line in live_lines(results, width, ascii_only=ascii_only):
        progress.write(line)
    return results


def key_of(task: Task) -> str:
    """Return what tasks that take about the same time have in common."""
    return f"{task.framework} {task.operator} {task.size} {task.device} {task.settings.threads}"


def keep_log(
    directory: RunDirectory, number: int, log: OutputLog, results: Sequence[Result]
) -> None:
    """Save what a child printed where that may explain a failure."""
    content = log.content()
    if content and any(result.status in TROUBLE for result in results):
        directory.save_log(number, content)


def headline(campaign: Campaign, directory: RunDirectory) -> str:
    """Return what is measured on what."""
    versions = "  ".join(f"{name} {version}" for name, version in campaign.packages().items())
    facts: dict[str, Any] = next(
        (dict(one.environment) for one in campaign.workers.values() if one.environment), {}
    )
    machine = f"{facts.get('cpu')}, {facts.get('cores')} cores" if facts else ""
    return "  ".join(filter(None, [f"opperf {VERSION}", versions, machine, directory.run_id]))


def exit_code(results: Sequence[Result]) -> int:
    """Return what a run's results amount to."""
    statuses = {result.status for result in results}
    if statuses <= {"unsupported"}:
        return EMPTY
    return FAILED if statuses & set(TROUBLE) else FINE
