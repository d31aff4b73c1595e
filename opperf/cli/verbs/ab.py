"""Compare two versions, builds or settings, operator by operator, in interleaved pairs."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from opperf.cli.calls.run import keep_calls
from opperf.cli.common.exit_codes import EMPTY
from opperf.cli.common.messages import say, teller
from opperf.cli.common.options import (
    add_filter,
    add_format,
    add_inputs,
    add_names,
    add_options,
    add_oversubscribe,
    command_line,
    configuration_of,
    limits_of,
    refuse_half_characters,
    refuse_too_many,
    threads_of,
)
from opperf.cli.fleet.asking import add_fleet, refuse_beside_fleet
from opperf.cli.pairs.arms import (
    ArmsPlan,
    add_arms,
    arms_manifest,
    entries_of,
    jobs_of_reference,
    own_threads,
    provide_entries,
    refuse_settings,
)
from opperf.cli.pairs.calls import add_network, asked_network
from opperf.cli.pairs.compete import Plan, compete
from opperf.cli.pairs.flags import add_effect, add_wait
from opperf.cli.pairs.fresh import compare_fresh, refuse_beside
from opperf.cli.pairs.locks import add_locks, lock_arms
from opperf.cli.pairs.method import prepare_methods
from opperf.cli.pairs.model import add_models, asked_models, models_manifest
from opperf.cli.pairs.rules import measurable, rules_of
from opperf.cli.pairs.selection import selection_of, take_names
from opperf.cli.pairs.spec import refuse_without_spec
from opperf.cli.pairs.task import prepare_task, task_compared
from opperf.cli.pairs.two import say_same, with_environment
from opperf.cli.running.estimates import add_dry_run, print_comparison_plan, tell_comparison
from opperf.cli.tasks.watched import add_time_limit
from opperf.cli.verbs.method import add_folders
from opperf.cli.verbs.task import add_task
from opperf.comparing.arms.arm import parse_arm
from opperf.comparing.campaign import TIME
from opperf.comparing.pairs.job import jobs_of
from opperf.comparing.signed_rank import FEWEST, FIRST, MOST
from opperf.comparing.verdict import MIN_EFFECT
from opperf.core.errors import UsageError
from opperf.core.machine.lock import measuring_alone
from opperf.core.units import parse_seconds
from opperf.planning.plan import make_plan
from opperf.planning.selection import nothing_matches
from opperf.storing import PairJournal, RunDirectory
from opperf.storing.manifest import COMPARISON

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Mapping

    from opperf.cli.pairs.fresh import Prepare
    from opperf.comparing.arms.arm import ArmSpec

OPTIONS = (
    "framework", "device", "dtype", "size", "timeout", "compile_timeout", "memory_limit", "threads",
    "seed", "runs_dir",
)  # fmt: skip


def add_arguments(parser: ArgumentParser) -> None:
    """Add the flags of this verb."""
    for name, role in (("a", "the baseline"), ("b", "the contender")):
        parser.add_argument(
            f"--{name}", metavar="ARM",
            help=f"{role}: a pip requirement, the path of a python, of a source tree or a wheel, "
            "git+file://PATH, NAME=value settings (several, in quotes), or . for this python",
        )  # fmt: skip
    add_arms(parser)
    add_locks(parser)
    parser.add_argument("--task", metavar="TASK", help="compare a script task: docs/tasks.md")
    add_task(parser)
    parser.add_argument(
        "--method", action="append", default=[], metavar="METHOD",
        help="compare a benchmark method: docs/methods.md; several times or between commas",
    )  # fmt: skip
    add_folders(parser)
    add_time_limit(parser)
    add_names(parser)
    add_filter(parser)
    add_options(parser, OPTIONS)
    add_inputs(parser)
    add_network(parser)
    add_models(parser)
    parser.add_argument(
        "--sessions", type=int, metavar="N",
        help=f"fresh pairs of processes for every operator (default: {FIRST})",
    )  # fmt: skip
    parser.add_argument(
        "--most-sessions", type=int, metavar="N",
        help=f"the most for those that are still undecided (default: {MOST})",
    )  # fmt: skip
    parser.add_argument(
        "--quick", action="store_true",
        help=f"--sessions {FEWEST} --most-sessions {FEWEST}: the fewest that have an interval",
    )  # fmt: skip
    parser.add_argument(
        "--budget", dest="time", metavar="TIME",
        help="begin no session that would end after so long, as in 10m",
    )  # fmt: skip
    add_effect(parser, MIN_EFFECT)
    parser.add_argument(
        "--metric", metavar="NAME", default=TIME,
        help="what is compared: time (default), instructions, peak_memory, workspace, energy, ...",
    )  # fmt: skip
    parser.add_argument("--strict", action="store_true", help="exit 13 where anything is undecided")
    add_wait(parser)
    add_dry_run(parser)
    add_oversubscribe(parser)
    add_fleet(parser)
    add_options(parser, ["store"])
    add_format(parser)
    parser.add_argument("--quiet", action="store_true", help="no progress and no lines on stderr")
    parser.add_argument("--exit-zero", action="store_true", help="exit 0 whatever is found")


def execute(arguments: Namespace) -> int:
    """Prepare both arms, compare them, and report."""
    refuse_half_characters(arguments.given)
    take_names(arguments)
    refuse_beside_fleet(arguments)
    entries = lock_arms(entries_of(arguments), arguments)
    if arguments.dry_run and (arguments.task or arguments.method):
        raise UsageError("--dry-run: of a task or a method, ask opperf task, opperf method for one")
    if arguments.task or arguments.method:
        return compare_runs(arguments)
    configuration = configuration_of(arguments)
    rules = rules_of(arguments, measurable(arguments.metric))
    budget = parse_seconds(arguments.time) if arguments.time else None
    if not arguments.oversubscribe:
        refuse_too_many([*threads_of(configuration), *own_threads(entries)])
    refuse_settings(arguments, entries)
    arms: Mapping[str, ArmSpec] = entries or lock_arms(
        {"a": parse_arm(arguments.a), "b": parse_arm(arguments.b)}, arguments
    )
    asked = asked_network(arguments, configuration, arms, rules.metric)
    network = asked.jobs if asked else None
    selection = asked.selection if asked else selection_of(arguments, configuration, arms)
    memory = selection.memory_limit
    limits = limits_of(configuration, memory // len(arms) if memory else None)
    models = asked_models(arguments, configuration, arms, rules.metric)
    jobs = models or (network.all if network else jobs_of(make_plan(selection, here=False)))
    if entries:
        jobs = jobs_of_reference(jobs, entries)
    if not jobs:
        say(nothing_matches(selection))
        return EMPTY
    say_same(entries, arms, jobs)
    count = len(entries or arms)
    tell_comparison(jobs, rules, count, arguments)
    if arguments.dry_run:
        return print_comparison_plan(jobs, arguments)
    if arguments.fleet:
        from opperf.cli.fleet.comparing import compare_on_fleet

        return compare_on_fleet(arguments, arms, jobs, arguments.filter, budget)
    with measuring_alone(wait=arguments.wait):
        tell = teller(quiet=arguments.quiet)
        own = {"budget": budget, "strict": arguments.strict}
        if entries:
            made = provide_entries(entries, tell)
            ready: Mapping[str, ArmSpec] = made
            named = arms_manifest(made)
        else:
            ready = {name: with_environment(arm, tell) for name, arm in arms.items()}
            named = {"arms": {name: asdict(arm) for name, arm in ready.items()}}
        kind = ArmsPlan if entries else Plan
        plan = kind(jobs=jobs, arms=ready, limits=limits, rules=rules, network=network, **own)
        manifest = {
            "kind": COMPARISON,
            "command": command_line("ab", arguments.given),
            "selection": asdict(selection),
            "limits": asdict(limits),
            **named,
            "rules": asdict(rules),
            **(asked.manifest if asked else {}),
            **models_manifest(models),
            **own,
        }
        directory = RunDirectory.create(Path(configuration["runs_dir"].value), manifest)
        if asked:
            keep_calls(asked.record, directory)
        with PairJournal(directory.results_path) as journal:
            return compete(plan, directory, journal, arguments)


def compare_runs(arguments: Namespace) -> int:
    """Compare a script task, or benchmark methods, by fresh runs of both arms."""
    flag, others = ("--method", ["num_gpus", "task"]) if arguments.method else ("--task", [])
    of_operators = ["model", "spec", "filter", "input", "calls", "network", "lock", *OPTIONS[:-1]]
    refuse_beside(flag, arguments, [*others, *of_operators])
    refuse_without_spec(arguments)
    if arguments.method:
        prepare: Prepare = partial(prepare_methods, arguments)
    else:
        prepare = partial(prepare_task, arguments, task_compared(arguments))
    return compare_fresh(arguments, partial(rules_of, arguments), prepare)
