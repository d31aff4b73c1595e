"""Measure operators and save each result as it comes."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from opperf.calls.measuring.plan import plan_calls
from opperf.calls.ranking.cold import cold_tasks
from opperf.cli.calls.asked import dtype_asked, frameworks_of_calls
from opperf.cli.calls.files import exit_code_of
from opperf.cli.calls.run import (
    FILE,
    CallsOutput,
    add_calls,
    keep_calls,
    named_calls,
)
from opperf.cli.common.arranging import add_arrangement, add_only
from opperf.cli.common.exit_codes import EMPTY
from opperf.cli.common.messages import say
from opperf.cli.common.options import (
    add_filter,
    add_format,
    add_inputs,
    add_names,
    add_options,
    add_output_format,
    add_oversubscribe,
    command_line,
    configuration_of,
    devices_of,
    frameworks_of,
    limits_of,
    memory_of,
    parse_inputs,
    parse_variables,
    refuse_cores,
    refuse_half_characters,
    refuse_too_many,
    settings_of,
    threads_of,
)
from opperf.cli.common.output import Output
from opperf.cli.common.stores import named_store
from opperf.cli.fleet.asking import add_fleet, refuse_beside_fleet
from opperf.cli.running.again import add_again, asked_again, earlier_results
from opperf.cli.running.agenda import Agenda, derive_sums, nothing
from opperf.cli.running.conduct import conduct
from opperf.cli.running.estimates import add_dry_run, print_plan, tell_estimate
from opperf.cli.running.frameworks import loading
from opperf.cli.running.sweep import SweepCampaign, SweepOutput
from opperf.core.configuration.options import YES
from opperf.core.errors import UsageError
from opperf.measuring.campaign import Campaign, Labels
from opperf.planning.companions import plan_run
from opperf.planning.due import unreliable_from
from opperf.planning.selection import Selection, nothing_matches
from opperf.planning.words import filter_of
from opperf.reporting.subjects import Run
from opperf.storing import Journal, RunDirectory

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence

    from opperf.calls.format.model import CallsRecord
    from opperf.cli.running.again import Repetition
    from opperf.core.configuration.options import Configuration
    from opperf.planning.task import Task

QUICK = {"precision": 0.05, "budget": 0.1}
PRECISE = {"precision": 0.005, "budget": 5.0}


def add_arguments(parser: ArgumentParser) -> None:
    """Add the flags of this verb."""
    add_names(parser)
    add_filter(parser)
    add_options(parser)
    haste = parser.add_mutually_exclusive_group()
    haste.add_argument("--quick", action="store_true", help="5 %% precision within 0.1 s")
    haste.add_argument("--precise", action="store_true", help="0.5 %% precision within 5 s")
    parser.add_argument(
        "--plain", action="store_const", const="plain", dest="process",
        help="as a user's own process has it: --process plain",
    )  # fmt: skip
    add_inputs(parser)
    parser.add_argument(
        "--env", action="append", default=[], metavar="NAME=VALUE",
        help="an environment variable of the measuring processes",
    )  # fmt: skip
    parser.add_argument("--tag", action="append", default=[], help="a label of every record")
    parser.add_argument(
        "--check-only", action="store_true", help="check outputs and gradients, time nothing"
    )
    parser.add_argument(
        "--sweep", action="store_true",
        help="measure each operator from small to large and fit time = fixed cost + n / rate",
    )  # fmt: skip
    add_calls(parser)
    add_again(parser)
    add_only(parser)
    add_dry_run(parser)
    add_oversubscribe(parser)
    add_fleet(parser)
    add_output(parser)


def add_output(parser: ArgumentParser) -> None:
    """Add where results go besides the run's own folder."""
    add_format(parser, Run)
    add_arrangement(parser)
    add_output_format(parser)
    parser.add_argument("--output-file", metavar="FILE", help="write all results there as well")
    parser.add_argument("--force", action="store_true", help="replace an existing --output-file")
    parser.add_argument("--quiet", action="store_true", help="no progress and no lines on stderr")
    parser.add_argument(
        "--exit-zero", action="store_true", help="exit 0 whatever becomes of the operators"
    )


def execute(arguments: Namespace) -> int:
    """Plan, measure, and report."""
    refuse_half_characters(arguments.given)
    refuse_beside_fleet(arguments)
    haste = QUICK if arguments.quick else PRECISE if arguments.precise else {}
    for name, value in haste.items():
        if getattr(arguments, name) is None:
            setattr(arguments, name, value)
    configuration = configuration_of(arguments)
    refuse_threads(arguments, configuration)
    if arguments.words and arguments.calls:
        raise UsageError(f"{arguments.words[0]}: --calls has operators of its own; choose by -k")
    read = named_calls(arguments)
    record, wrong_calls = (read.record, read.faults.count) if read else (None, 0)
    again, selection = asked_again(arguments, configuration) or (
        None,
        selection_of(arguments, configuration, record),
    )
    notes: list[str] = []
    tasks = tasks_of(selection, record, again, configuration, notes)
    output = (SweepOutput if selection.sweep else Output).of(arguments)
    if record:
        output = CallsOutput.ranked(output, record, selection, arguments, wrong_calls)
    for note in () if output.quiet else notes:
        say(note)
    if not tasks:
        said = f"no row of {again.run} is to be measured again" if again else ""
        say(said or nothing_matches(selection))
        return EMPTY
    tell_estimate(tasks, arguments, configuration, quiet=output.quiet)
    if arguments.dry_run:
        return print_plan(tasks, arguments)
    if arguments.fleet:
        from opperf.cli.fleet.running import run_on_fleet

        return run_on_fleet(arguments, configuration, selection, tasks, output)
    store = named_store(configuration)
    limits = limits_of(configuration, selection.memory_limit)
    variables = parse_variables(arguments.env)
    command = command_line("run", arguments.given)
    campaign = (SweepCampaign if selection.sweep else Campaign)(
        tasks, limits, variables, weigh=record is None
    )
    manifest = {
        "command": command,
        "tags": arguments.tag,
        "selection": asdict(selection),
        "limits": asdict(limits),
        "variables": variables,
        "packages": {},
        "retry": configuration["retry"].value,
        **({"calls": FILE, "wrong_calls": wrong_calls} if record else {}),
        **({"again": again.to_manifest()} if again else {}),
    }
    directory = RunDirectory.create(Path(configuration["runs_dir"].value), manifest)
    if record:
        keep_calls(record, directory)
    with loading(campaign, directory):
        campaign.labels = Labels(
            run_id=directory.run_id, command=command, tags=tuple(arguments.tag)
        )
        with Journal(directory.results_path) as journal:
            retries = configuration["retry"].value == YES
            agenda = Agenda(
                tasks,
                partial(unreliable_from, tasks) if retries else nothing,
                partial(cold_tasks, record, selection) if record else nothing,
                derive_sums(record, selection),
            )
            code = conduct(campaign, agenda, directory, journal, output, store)
    return exit_code_of(code, wrong_calls)


def tasks_of(
    selection: Selection,
    record: CallsRecord | None,
    again: Repetition | None,
    configuration: Configuration,
    notes: list[str],
) -> Sequence[Task]:
    """Return what is measured: operators or a network's calls, or rows of an earlier run."""
    if record:
        return plan_calls(record, selection)
    tasks = plan_run(selection, notes.append)
    if again is None:
        return tasks
    return again.tasks(tasks, earlier_results(again, Path(configuration["runs_dir"].value)))


def refuse_threads(arguments: Namespace, configuration: Configuration) -> None:
    """Refuse more threads than processors or cores, unless that is asked for."""
    oversubscribe, threads = arguments.oversubscribe, threads_of(configuration)
    if not oversubscribe:
        refuse_too_many(threads)
    refuse_cores(configuration["cores"].value, threads, oversubscribe=oversubscribe)


def selection_of(
    arguments: Namespace, configuration: Configuration, record: CallsRecord | None
) -> Selection:
    """Return what is asked to be measured, of operators or of a network's calls."""
    return Selection(
        text=filter_of(arguments.words, arguments.filter),
        frameworks=(
            frameworks_of_calls(record, configuration) if record else frameworks_of(configuration)
        ),
        devices=devices_of(configuration),
        threads=threads_of(configuration),
        dtype=dtype_asked(configuration) if record else configuration["dtype"].value,
        sizes=configuration["size"].value,
        inputs=parse_inputs(arguments.input),
        settings=settings_of(configuration),
        check_only=arguments.check_only,
        memory_limit=memory_of(configuration),
        sweep=arguments.sweep,
    )
