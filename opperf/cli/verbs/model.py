"""Train networks, or infer with them: examples a second, and the time of each phase."""

from __future__ import annotations

import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

from opperf.cli.common.options import (
    add_format,
    add_options,
    add_output_format,
    add_oversubscribe,
    command_line,
    configuration_of,
    limits_of,
    memory_of,
    parse_variables,
    refuse_cores,
    refuse_half_characters,
    refuse_too_many,
    settings_of,
    threads_of,
)
from opperf.cli.common.stores import named_store
from opperf.cli.fleet.asking import add_fleet, refuse_beside_fleet
from opperf.cli.networks.devices import refuse_devices
from opperf.cli.networks.experiment_log import check_log
from opperf.cli.networks.experiments import (
    add_experiments,
    matrix_of,
    print_dry_run,
    print_parameters,
    runs_of,
)
from opperf.cli.networks.flags import add_model_flags, folders_of
from opperf.cli.networks.output import ModelsOutput
from opperf.cli.networks.requests import requests_of
from opperf.cli.networks.run import ModelRun
from opperf.cli.running.estimates import print_model_plan, tell_model_estimate
from opperf.core.configuration.settings import PLAIN
from opperf.core.errors import UsageError
from opperf.networks.discovery import FRAMEWORKS, find_entries
from opperf.networks.measuring.task import model_task
from opperf.reporting.printing import print_rows
from opperf.reporting.subjects import Run
from opperf.storing.manifest import MODEL_RUN
from opperf.storing.manifest_parts import MOST_SESSIONS

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from opperf.core.configuration.options import Configuration
    from opperf.core.configuration.settings import Settings
    from opperf.networks.experiments.expansion import ExperimentMatrix
    from opperf.networks.request import ModelRequest

OF_THIS_MACHINE = ("experiments", "model_dir", "data_dir")
"""What hosts of a fleet do not have."""
BUDGET = 10.0
"""Seconds of samples of a network, where nobody says."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the flags of this verb."""
    parser.add_argument("--list", action="store_true", help="say which networks there are")
    add_model_flags(parser)
    add_experiments(parser)
    parser.add_argument(
        "--sessions", type=int, default=1, metavar="N",
        help="measure so often, each time in fresh processes (default: 1)",
    )  # fmt: skip
    parser.add_argument(
        "--env", action="append", default=[], metavar="NAME=VALUE",
        help="an environment variable of the measuring processes",
    )  # fmt: skip
    parser.add_argument("--tag", action="append", default=[], help="a label of every record")
    parser.add_argument(
        "--check-only", action="store_true", help="make the first steps, time nothing"
    )
    add_options(
        parser,
        ["framework", "device", "dtype", "precision", "budget", "threads", "process", "cores",
         "timeout", "memory_limit", "seed", "runs_dir", "store"],
    )  # fmt: skip
    parser.add_argument(
        "--log-lines", action="store_true",
        help="print lines such as __results.time__=12.5 below the table",
    )  # fmt: skip
    add_oversubscribe(parser)
    add_fleet(parser)
    add_format(parser, Run)
    add_output_format(parser)
    parser.add_argument("--output-file", metavar="FILE", help="write all results there as well")
    parser.add_argument("--force", action="store_true", help="replace an existing --output-file")
    parser.add_argument("--quiet", action="store_true", help="no progress and no lines on stderr")
    parser.add_argument(
        "--exit-zero", action="store_true", help="exit 0 whatever becomes of the networks"
    )


def execute(arguments: Namespace) -> int:
    """Find all networks first, then measure one after the other, and report."""
    refuse_half_characters(arguments.given)
    refuse_beside_fleet(arguments, OF_THIS_MACHINE, "networks by their names, and made-up data")
    configuration = configuration_of(arguments)
    if arguments.list:
        return print_models(arguments, configuration)
    if arguments.list_parameters:
        return print_parameters(arguments)
    matrix = matrix_of(arguments)
    if matrix is not None and arguments.dry_run:
        return print_dry_run(matrix, arguments)
    if not 1 <= arguments.sessions <= MOST_SESSIONS:
        raise UsageError(f"--sessions {arguments.sessions}: must be from 1 to {MOST_SESSIONS}")
    threads = threads_of(configuration)
    if not arguments.oversubscribe:
        refuse_too_many(threads)
    refuse_cores(configuration["cores"].value, threads, oversubscribe=arguments.oversubscribe)
    asked = asked_of(arguments, configuration, matrix)
    for request, _ in asked:
        refuse_devices(request, configuration, max(threads), oversubscribe=arguments.oversubscribe)
    tasks = [
        replace(model_task(request, model_settings(configuration, request, count)),
                check_only=arguments.check_only)
        for request, _ in asked
        for count in threads
    ]  # fmt: skip
    if arguments.dry_run:
        return print_model_plan(tasks, arguments)
    tell_model_estimate(tasks, arguments)
    tags = [*arguments.tag, *(matrix.tags if matrix else ())]
    output = ModelsOutput.of(arguments)
    if arguments.fleet:
        from opperf.cli.fleet.running import train_on_fleet

        return train_on_fleet(arguments, configuration, tasks, output)
    store = named_store(configuration)
    limits = limits_of(configuration, memory_of(configuration))
    run = ModelRun(
        tasks=tasks,
        sessions=arguments.sessions,
        limits=limits,
        variables={**parse_variables(arguments.env), **(matrix.variables if matrix else {})},
        command=command_line("model", arguments.given),
        tags=tuple(tags),
        logs=tuple(log for _, log in asked for _ in threads),
    )
    manifest = {
        "kind": MODEL_RUN,
        "command": run.command,
        "tags": tags,
        "variables": run.variables,
        "limits": asdict(limits),
        "sessions": arguments.sessions,
        "tasks": [asdict(task) for task in tasks],
        "logs": [*run.logs],
    }
    return run.begin(Path(configuration["runs_dir"].value), manifest, output, store)


def asked_of(
    arguments: Namespace, configuration: Configuration, matrix: ExperimentMatrix | None
) -> list[tuple[ModelRequest, str]]:
    """Return what is asked of each network, and where its log goes, if anywhere.

    Raises:
        UsageError: A run of an experiment file cannot be measured, or none is to be.
    """
    if matrix is None:
        return [(request, "") for request in requests_of(arguments, configuration)]
    found = []
    for own, log in runs_of(matrix, arguments):
        check_log(log)
        found += [(request, log) for request in requests_of(own, configuration_of(own))]
    if not found:
        raise UsageError("exp.status: is simulate in every run; --dry-run prints their commands")
    return found


def model_settings(configuration: Configuration, request: ModelRequest, threads: int) -> Settings:
    """Return how a step is timed: for seconds, in a process such as a user's own."""
    settings = settings_of(configuration)
    unsaid = {name for name in ("budget", "process") if configuration[name].origin == "default"}
    return replace(
        settings,
        budget=BUDGET if "budget" in unsaid else settings.budget,
        process=PLAIN if "process" in unsaid else settings.process,
        cache="hot",
        threads=threads,
        warmup=request.num_warmup_batches,
        runs=request.num_batches if request.exact else None,
    )


def print_models(arguments: Namespace, configuration: Configuration) -> int:
    """Print one row a network; no framework is imported for that."""
    named = configuration["framework"].value or FRAMEWORKS
    named = [name for name in named if name in FRAMEWORKS] or FRAMEWORKS
    entries = {name: find_entries(name, folders_of(arguments)) for name in named}
    every = {name: entry for found in entries.values() for name, entry in found.items()}
    rows = [
        {
            "model": name,
            "title": every[name].title,
            "parameters": every[name].parameters,
            **{framework: "yes" if name in found else None for framework, found in entries.items()},
        }
        for name in sorted(every)
    ]
    print_rows(rows, arguments.format, sys.stdout)
    return 0
