"""Carrying a plan out: measure, save, show, and stop in good order when asked to."""

from __future__ import annotations

import signal
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from opperf.cli.importing import import_journal
from opperf.cli.output import PIPED, say
from opperf.core.errors import OpperfError
from opperf.core.results.status import TROUBLE
from opperf.core.version import VERSION
from opperf.reporting.live import live_lines
from opperf.reporting.progress import Progress
from opperf.reporting.text import columns, is_ascii, wrap

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opperf.cli.output import Output
    from opperf.core.results.result import Result
    from opperf.storing import Journal, RunDirectory
    from opperf.storing.database.connection import Database
    from opperf.suites import Campaign
    from opperf.worker.log import Log
    from opperf.worker.protocol import Task

FINE, FAILED, EMPTY, INTERRUPTED = 0, 11, 12, 130


@dataclass
class Interrupt:
    """Whether Ctrl-C was pressed: once to stop after this operator, twice to stop now."""

    pressed: bool = False

    def __call__(self, number: int, frame: object) -> None:
        """Take the signal."""
        del frame
        if self.pressed or number != signal.SIGINT:
            raise KeyboardInterrupt
        self.pressed = True
        say("finishing this operator; Ctrl-C again to end it at once")


@contextmanager
def interruptible() -> Iterator[Interrupt]:
    """Handle Ctrl-C and a request to terminate while measuring."""
    interrupt = Interrupt()
    kept = {number: signal.signal(number, interrupt) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield interrupt
    finally:
        for number, handler in kept.items():
            signal.signal(number, handler)


def conduct(
    campaign: Campaign,
    tasks: Sequence[Task],
    directory: RunDirectory,
    journal: Journal,
    output: Output,
    store: Database | None = None,
) -> int:
    """Measure the tasks, save each operator's results, show all of them; return the exit code.

    What was measured is put into the store, if there is one, from the journal and at the end: no
    database is written to while something is timed.
    """
    results = list(journal.found.results)
    keys = [key_of(task) for task in tasks]
    progress = None if output.quiet else Progress(len(tasks), sys.stderr, keys=keys)
    if progress:
        for line in wrap(headline(campaign, directory), columns(sys.stderr, PIPED)):
            progress.write(line)
    with interruptible() as interrupt:
        try:
            ahead = zip_longest(tasks, tasks[1:])
            for number, (task, then) in enumerate(ahead, start=len(results) + 1):
                if interrupt.pressed:
                    break
                found = carry_out(campaign, task, then, progress)
                journal.append(found)
                keep_log(directory, number, campaign.workers[task.place].log, found)
                results += found
        except KeyboardInterrupt:
            interrupt.pressed = True
        finally:
            if progress:
                progress.close()
    output.show(results)
    if not output.quiet:
        say(f"results: {directory.results_path}")
    if store is not None:
        put_into(store, directory, quiet=output.quiet)
    if interrupt.pressed:
        say(f"interrupted; go on with: opperf resume {directory.run_id}")
        return INTERRUPTED
    return exit_code(results)


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


def carry_out(
    campaign: Campaign, task: Task, then: Task | None, progress: Progress | None
) -> list[Result]:
    """Measure one task, before another, and show what came of it."""
    if progress is None:
        return campaign.measure(task, then)
    progress.start(f"{task.framework} {task.operator}", key_of(task))
    began = time.monotonic()
    results = campaign.measure(task, then)
    statuses = [result.status for result in results if not result.companion]
    progress.finish(statuses, time.monotonic() - began)
    width, ascii_only = columns(sys.stderr, PIPED), is_ascii(sys.stderr)
    for line in live_lines(results, width, ascii_only=ascii_only):
        progress.write(line)
    return results


def key_of(task: Task) -> str:
    """Return what tasks that take about the same time have in common."""
    return f"{task.framework} {task.operator} {task.size} {task.device} {task.settings.threads}"


def keep_log(directory: RunDirectory, number: int, log: Log, results: Sequence[Result]) -> None:
    """Save what a child printed where that may explain a failure."""
    content = log.content()
    if content and any(result.status in TROUBLE for result in results):
        directory.save_log(number, content)


def headline(campaign: Campaign, directory: RunDirectory) -> str:
    """Return what is measured on what."""
    versions = "  ".join(f"{name} {version}" for name, version in campaign.packages().items())
    facts: dict[str, Any] = next(
        (dict(worker.environment) for worker in campaign.workers.values()), {}
    )
    machine = f"{facts.get('cpu')}, {facts.get('cores')} cores" if facts else ""
    return "  ".join(filter(None, [f"opperf {VERSION}", versions, machine, directory.run_id]))


def exit_code(results: Sequence[Result]) -> int:
    """Return what a run's results amount to."""
    statuses = {result.status for result in results}
    if statuses <= {"unsupported"}:
        return EMPTY
    return FAILED if statuses & set(TROUBLE) else FINE
