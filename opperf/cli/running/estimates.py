"""What would be measured, how long that takes and how much memory, before anything is."""

from __future__ import annotations

import os
import sys
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from opperf.cli.common.messages import say
from opperf.cli.common.options import configuration_of
from opperf.cli.common.output import FOR_PEOPLE, PIPED
from opperf.core.errors import OpperfError
from opperf.core.machine.affinity import usable_processors
from opperf.core.results.pair import pair_from
from opperf.core.results.reading import from_mapping
from opperf.core.units import format_bytes
from opperf.planning.due import job_of_result, job_of_task
from opperf.planning.duration import estimate, past_rows, past_start
from opperf.planning.task import Task, operator_of
from opperf.reporting.estimate import clock_text
from opperf.reporting.printing import print_rows
from opperf.reporting.text import columns
from opperf.storing import RunDirectory, read_whole
from opperf.storing.earlier import LARGEST, NEWEST, earlier_sessions
from opperf.storing.manifest import COMPARISON, MODEL_RUN, SPEC_RUN
from opperf.storing.run_directory import list_runs

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterable, Iterator, Sequence

    from opperf.comparing.campaign import Rules
    from opperf.comparing.pairs.job import Job
    from opperf.core.configuration.options import Configuration
    from opperf.core.results.result import Result
    from opperf.planning.duration import DurationEstimate
    from opperf.storing.earlier import EarlierSession

LONG = 300.0
"""Seconds from which a job says how long it takes before it starts."""
LOADING_MODEL = 10.0
"""Seconds that a network takes beside its budget: four took 139 s with 25 s each (README.md)."""
OF_SESSION, OF_ROW = 4.0, 0.8
"""Seconds to start a session's processes, and of a row in a session, in both arms: 15 rows in some
240 sessions of theirs took 213 s (README.md)."""


def add_dry_run(parser: ArgumentParser) -> None:
    """Add what says what would be done."""
    parser.add_argument(
        "--dry-run", action="store_true",
        help="say what would be measured, how long it takes and how much memory; measure nothing",
    )  # fmt: skip


def tell_estimate(
    tasks: Sequence[Task], arguments: Namespace, configuration: Configuration, *, quiet: bool
) -> None:
    """Say how long the tasks take, where that is long or asked for."""
    found = estimate(tasks, {}, check_only=arguments.check_only)
    if arguments.dry_run or found.seconds > LONG:
        runs = [*earlier_runs(Path(configuration["runs_dir"].value))]
        found = estimate(
            tasks, past_rows(results for _, results in runs),
            check_only=arguments.check_only, start=past_start(runs),
        )  # fmt: skip
        if not quiet and (arguments.dry_run or found.seconds > LONG):
            say(estimate_text(found))


def earlier_runs(runs_dir: Path) -> Iterator[tuple[str, Sequence[Result]]]:
    """Yield when each of the newest runs was made, and all its results, repeated ones included."""
    for name in list_runs(runs_dir)[-NEWEST:]:
        with suppress(OpperfError, OSError):
            directory = RunDirectory(runs_dir / name)
            manifest = directory.manifest()
            if not manifest.get("kind") and directory.results_path.stat().st_size <= LARGEST:
                results = read_whole(directory.results_path, from_mapping).results
                yield str(manifest["created_at"]), results


def estimate_text(found: DurationEstimate) -> str:
    """Return "112 rows, about 2:10 (80 by earlier runs here, 32 by typical times)"."""
    by = [
        f"{found.remembered} by earlier runs here" if found.remembered else "",
        f"{found.rows - found.remembered} by typical times of the machine of docs/lab/method.md"
        if found.rows > found.remembered
        else "",
    ]
    about = f"{found.rows} rows, about {clock_text(found.seconds)}"
    return f"{about} ({', '.join(filter(None, by))}){busy_text()}"


def memory_of_task(task: Task) -> int | None:
    """Return about how many bytes a declared operator takes; a network's call says it once made."""
    return operator_of(task).memory_needed() if type(task) is Task else None


def memory_cell(task: Task, arguments: Namespace) -> int | str | None:
    """Return the memory of a task, in units where people read it."""
    size = memory_of_task(task)
    return size if size is None or arguments.format not in FOR_PEOPLE else format_bytes(size)


def busy_text() -> str:
    """Return what is added to an estimate where other work keeps the processors."""
    load, processors = os.getloadavg()[0], usable_processors()
    if load <= processors:
        return ""
    return f"; longer beside other work: load {load:.1f} on {processors} processors"


def print_listing(rows: Sequence[dict[str, Any]], arguments: Namespace) -> None:
    """Print rows in the form that is asked for."""
    width = columns(sys.stdout, PIPED) if arguments.format == "table" else None
    print_rows(rows, arguments.format, sys.stdout, width=width)


def print_plan(tasks: Sequence[Task], arguments: Namespace) -> int:
    """Print what would be measured, a row a task; nothing is made for it."""
    rows = [
        {
            "operator": task.operator,
            "framework": task.framework,
            "size": task.size,
            "device": task.device,
            "threads": task.settings.threads,
            "directions": ", ".join(dict.fromkeys(direction for _, direction in task.rows)),
            "rows": len(task.rows),
            "memory": memory_cell(task, arguments),
        }
        for task in tasks
    ]
    print_listing(rows, arguments)
    most, name = max((memory_of_task(task) or 0, task.operator) for task in tasks)
    if most and not arguments.quiet:
        say(f"at most {format_bytes(most)} at a time ({name}), beside its framework and opperf")
    return 0


def model_seconds(tasks: Sequence[Task], sessions: int) -> float:
    """Return how long networks typically take: each is loaded, checked and timed."""
    return sessions * sum(LOADING_MODEL + task.settings.budget for task in tasks)


def tell_model_estimate(
    tasks: Sequence[Task], arguments: Namespace, *, what: str = "networks"
) -> None:
    """Say how long networks, or what else is timed whole, take: where that is long or asked for."""
    sessions = arguments.sessions
    if arguments.quiet or (model_seconds(tasks, sessions) <= LONG and not arguments.dry_run):
        return
    past = earlier_sessions(runs_of(arguments), (MODEL_RUN, SPEC_RUN), from_mapping, job_of_result)
    known = [past[job] for task in tasks if (job := job_of_task(task)) in past]
    others = [task for task in tasks if job_of_task(task) not in past]
    seconds = sessions * sum(one.seconds for one in known) + model_seconds(others, sessions)
    times = f"{sessions} session{'' if sessions == 1 else 's'}"
    guessed = (
        "budgets, and loading as it was on the machine of docs/lab/method.md; longer where one "
        "step is"
    )
    origin = origin_text(known, len(tasks), guessed)
    say(f"{len(tasks)} {what} in {times}, about {clock_text(seconds)} ({origin}){busy_text()}")


def runs_of(arguments: Namespace) -> Path:
    """Return the folder of runs."""
    return Path(configuration_of(arguments)["runs_dir"].value)


def origin_text(sessions: Iterable[EarlierSession], count: int, guessed: str) -> str:
    """Return where the estimate of so many parts comes from: "2 by run 2026..., 1 typical: ..."."""
    by = Counter(one.run for one in sessions)
    named = [f"{n} by run {run}" for run, n in sorted(by.items(), reverse=True)]
    missing = count - by.total()
    if missing:
        named.append(f"{missing} typical: {guessed}" if named else f"typical: {guessed}")
    return ", ".join(named)


def print_model_plan(tasks: Sequence[Task], arguments: Namespace) -> int:
    """Print which networks would be measured; nothing is made for it."""
    rows = [
        {
            "model": task.operator,
            "framework": task.framework,
            "device": task.device,
            "threads": task.settings.threads,
            "rows": len(task.rows) * arguments.sessions,
            "budget": f"{task.settings.budget:g} s",
        }
        for task in tasks
    ]
    print_listing(rows, arguments)
    tell_model_estimate(tasks, arguments)
    if not arguments.quiet:
        say("what memory they take is known once they are made")
    return 0


def tell_comparison(jobs: Sequence[Job], rules: Rules, arms: int, arguments: Namespace) -> None:
    """Say how long a comparison takes at least and at most, where that is long or asked for."""
    typical = {
        job.key: OF_ROW * arms / 2
        + (job.task.settings.budget if type(job.task) is not Task else 0.0)
        for job in jobs
    }
    session = OF_SESSION + sum(typical.values())
    if arguments.quiet or (rules.most * session <= LONG and not arguments.dry_run):
        return
    past = earlier_sessions(runs_of(arguments), (COMPARISON,), pair_from, lambda pair: pair.key)
    known = {key: past[key] for key in typical if key in past}
    session = sum(known[key].seconds if key in known else guess for key, guess in typical.items())
    session += 0.0 if known else OF_SESSION  # what is known includes it
    say(
        f"{len(jobs)} rows in {rules.first} to {rules.most} sessions of {arms} arms, about "
        f"{clock_text(rules.first * session)} to {clock_text(rules.most * session)} "
        f"({origin_text(known.values(), len(typical), 'as on the machine of docs/lab/method.md')}; "
        f"beside making the arms' environments){busy_text()}"
    )


def print_comparison_plan(jobs: Sequence[Job], arguments: Namespace) -> int:
    """Print which rows would be compared; nothing is made for it."""
    rows = [
        {
            "operator": job.operator.name,
            "framework": job.task.framework,
            "size": job.task.size,
            "device": job.task.device,
            "direction": job.operator.direction,
            "memory": memory_cell(job.task, arguments),
        }
        for job in jobs
    ]
    print_listing(rows, arguments)
    return 0
