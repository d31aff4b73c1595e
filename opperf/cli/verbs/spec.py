"""Run the tests of a specification: a model's delay, error, memory and throughput."""

from __future__ import annotations

import sys
from itertools import chain
from typing import TYPE_CHECKING

from opperf.cli.common.messages import say
from opperf.cli.common.options import configuration_of, limits_of, refuse_half_characters
from opperf.cli.running.estimates import tell_model_estimate
from opperf.cli.specs.asked import (
    SpecAsked,
    frameworks_named,
    libraries_of,
    library_path,
    model_cache,
    read_asked,
    refuse_sessions,
    surroundings_of,
    tasks_for,
)
from opperf.cli.specs.flags import add_all_flags
from opperf.cli.specs.plans import print_program_plan, print_spec_plan
from opperf.cli.specs.programs import (
    ProgramMaker,
    platform_for,
    program_of,
    refuse_flags,
    run_programs,
)
from opperf.cli.specs.reporters import reporters_of
from opperf.cli.specs.reports import SpecReports, key_of
from opperf.cli.specs.run import run_tests
from opperf.reporting.printing import print_rows
from opperf.specs.platforms.registry import find_platform
from opperf.specs.platforms.selection import choose_devices

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterator, Sequence

    from opperf.core.configuration.options import Configuration
    from opperf.specs.format.expanded import Specification
    from opperf.specs.platforms.platform import Platform


def add_arguments(parser: ArgumentParser) -> None:
    """Add the flags of this verb."""
    add_all_flags(parser)


def execute(arguments: Namespace) -> int:
    """Check all that was asked for, fetch files, then run one test after the other, and report."""
    refuse_half_characters(arguments.given)
    configuration = configuration_of(arguments)
    request = read_asked(arguments)
    if arguments.list:
        print_rows([*list_rows(request.specs)], arguments.format, sys.stdout)
        return 0
    platform = find_platform(arguments.platform)
    if platform.host:
        return run_models(arguments, configuration, request)
    return run_elsewhere(arguments, configuration, request, platform)


def run_models(arguments: Namespace, configuration: Configuration, request: SpecAsked) -> int:
    """Run models on frameworks of this machine."""
    reports = SpecReports(reporters_of(arguments))
    libraries = libraries_of(arguments)
    pairs = tasks_for(arguments, configuration, request)
    reports.metas = {key_of(task.meta): meta for task, meta in pairs}
    arguments.env += library_path(libraries)
    say_ignored(request.specs, quiet=arguments.quiet)
    for line in () if arguments.quiet else dict.fromkeys(chain(*map(of_programs, request.specs))):
        say(line)
    tasks = [task for task, _ in pairs]
    if arguments.dry_run:
        return print_spec_plan(tasks, arguments)
    tell_model_estimate(tasks, arguments, what="tests")
    code = run_tests(tasks, arguments, configuration, report=reports.report)
    return code or reports.failed


def run_elsewhere(
    arguments: Namespace, configuration: Configuration, request: SpecAsked, platform: Platform
) -> int:
    """Run a program's tests on the devices of a platform."""
    devices = choose_devices(
        platform.devices(), arguments.devices, arguments.excluded_devices, arguments.platform
    )
    program = program_of(arguments)
    refuse_flags(arguments)
    refuse_sessions(arguments.sessions)
    reports = SpecReports(reporters_of(arguments))
    maker = ProgramMaker(
        program=program, libraries=tuple(libraries_of(arguments)),
        framework=",".join(frameworks_named(configuration) or ()) or None,
        timeout=configuration["timeout"].value, cache=model_cache(arguments),
        surroundings=surroundings_of(arguments, request.words), devices=devices,
    )  # fmt: skip
    tasks = maker.tasks(request.specs)
    if arguments.dry_run:
        return print_program_plan(tasks, arguments)
    reports.metas = {key_of(task.test.meta): task.meta for task in tasks}
    say_ignored(request.specs, quiet=arguments.quiet)
    results, code = run_programs(
        tasks, platform_for(platform, arguments), arguments, limits_of(configuration, None)
    )
    reports.report(results)
    return code or reports.failed


def say_ignored(specs: Sequence[Specification], *, quiet: bool) -> None:
    """Say which fields are not carried out."""
    for line in (line for spec in specs for line in spec.ignored):
        if not quiet:
            say(line)


def of_programs(spec: Specification) -> Iterator[str]:
    """Yield a line for each field that only a program on another platform obeys."""
    if spec.model.libraries:
        yield f"{spec.model.place}.libraries: not carried out on this platform"
    for test in spec.tests:
        if test.command_lines:
            yield f"{test.place}: command lines are not carried out on this platform"
        if test.platform_args:
            yield f"{test.place}: platform_args are not carried out on this platform"


def list_rows(specs: Sequence[Specification]) -> Iterator[dict[str, object]]:
    """Yield a row a test."""
    for spec in specs:
        for test in spec.tests:
            shapes = (f"{each.name} {'x'.join(map(str, each.shape))}" for each in test.inputs)
            yield {
                "model": spec.model.name,
                "format": spec.model.format,
                "test": test.identifier,
                "metric": test.metric,
                "inputs": ", ".join(shapes),
            }
