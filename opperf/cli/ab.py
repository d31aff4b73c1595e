"""Compare two versions, builds or settings, operator by operator, in interleaved pairs."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from opperf.cli.ab_calls import add_network, asked_network
from opperf.cli.ab_fresh import compare_fresh, refuse_beside
from opperf.cli.ab_method import prepare_methods
from opperf.cli.ab_model import add_models, asked_models, models_manifest
from opperf.cli.ab_selection import selection_of
from opperf.cli.ab_task import prepare_task, task_compared
from opperf.cli.calls import keep_calls
from opperf.cli.compete import Plan, compete
from opperf.cli.conduct import EMPTY
from opperf.cli.method import add_folders
from opperf.cli.options import (
    add_effect,
    add_filter,
    add_format,
    add_inputs,
    add_options,
    add_oversubscribe,
    command_line,
    configuration_of,
    limits_of,
    parse_share,
    refuse_half_characters,
    refuse_too_many,
    threads_of,
)
from opperf.cli.output import say, teller
from opperf.cli.task import add_task
from opperf.cli.watched import add_time_limit
from opperf.comparing.arms.arm import ArmSpec, parse_arm
from opperf.comparing.arms.venv import cache_folder, provide
from opperf.comparing.campaign import TIME, Rules
from opperf.comparing.pairs.job import jobs_of
from opperf.comparing.signed_rank import FEWEST, FIRST, MOST
from opperf.comparing.verdict import MIN_EFFECT
from opperf.core.errors import UsageError, unknown
from opperf.core.machine.lock import measuring_alone
from opperf.core.units import parse_seconds
from opperf.measuring.probes import probed_names
from opperf.measuring.worker.variables import child_variables
from opperf.planning.plan import make_plan
from opperf.planning.selection import nothing_matches
from opperf.reporting.metrics import refuse_of_the_time
from opperf.reporting.text import clean
from opperf.storing import PairJournal, RunDirectory
from opperf.storing.manifest import COMPARISON
from opperf.storing.manifest_parts import MOST_SESSIONS

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Mapping, Sequence

    from opperf.cli.ab_fresh import Prepare
    from opperf.comparing.pairs.job import Job

OPTIONS = (
    "framework", "device", "dtype", "size", "timeout", "compile_timeout", "memory_limit", "threads",
    "seed", "runs_dir",
)  # fmt: skip


def add_arguments(parser: ArgumentParser) -> None:
    """Add the flags of this verb."""
    for name, role in (("a", "the baseline"), ("b", "the contender")):
        parser.add_argument(
            f"--{name}", required=True, metavar="ARM",
            help=f"{role}: a pip requirement, the path of a python, of a source tree or a wheel, "
            "git+file://PATH, NAME=value settings (several, in quotes), or . for this python",
        )  # fmt: skip
    parser.add_argument("--task", metavar="TASK", help="compare a script task: docs/tasks.md")
    add_task(parser)
    parser.add_argument(
        "--method", action="append", default=[], metavar="METHOD",
        help="compare a benchmark method: docs/methods.md; several times or between commas",
    )  # fmt: skip
    add_folders(parser)
    add_time_limit(parser)
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
    parser.add_argument("--wait", action="store_true", help="wait for another comparison to end")
    add_oversubscribe(parser)
    add_format(parser)
    parser.add_argument("--quiet", action="store_true", help="no progress and no lines on stderr")
    parser.add_argument("--exit-zero", action="store_true", help="exit 0 whatever is found")


def execute(arguments: Namespace) -> int:
    """Prepare both arms, compare them, and report."""
    refuse_half_characters(arguments.given)
    if arguments.task or arguments.method:
        return compare_runs(arguments)
    configuration = configuration_of(arguments)
    rules = rules_of(arguments, measurable(arguments.metric))
    budget = parse_seconds(arguments.time) if arguments.time else None
    if not arguments.oversubscribe:
        refuse_too_many(threads_of(configuration))
    arms = {"a": parse_arm(arguments.a), "b": parse_arm(arguments.b)}
    asked = asked_network(arguments, configuration, arms, rules.metric)
    network = asked.jobs if asked else None
    selection = asked.selection if asked else selection_of(arguments, configuration, arms)
    memory = selection.memory_limit
    limits = limits_of(configuration, memory // len(arms) if memory else None)
    models = asked_models(arguments, configuration, arms, rules.metric)
    jobs = models or (network.all if network else jobs_of(make_plan(selection, here=False)))
    if not jobs:
        say(nothing_matches(selection))
        return EMPTY
    if same_in_effect(arms, jobs):
        say("both arms come out identical, in interpreter, packages and settings: this is A with A")
    with measuring_alone(wait=arguments.wait):
        tell = teller(quiet=arguments.quiet)
        ready = {name: with_environment(arm, tell) for name, arm in arms.items()}
        own = {"budget": budget, "strict": arguments.strict}
        plan = Plan(jobs=jobs, arms=ready, limits=limits, rules=rules, network=network, **own)
        manifest = {
            "kind": COMPARISON,
            "command": command_line("ab", arguments.given),
            "selection": asdict(selection),
            "limits": asdict(limits),
            "arms": {name: asdict(arm) for name, arm in ready.items()},
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
    of_operators = ["model", "filter", "input", "calls", "network", *OPTIONS[:-1]]
    refuse_beside(flag, arguments, [*others, *of_operators])
    if arguments.method:
        prepare: Prepare = partial(prepare_methods, arguments)
    else:
        prepare = partial(prepare_task, arguments, task_compared(arguments))
    return compare_fresh(arguments, partial(rules_of, arguments), prepare)


def same_in_effect(arms: Mapping[str, ArmSpec], jobs: Sequence[Job]) -> bool:
    """Return whether the processes of both arms are the same, though their texts may differ.

    A setting that opperf makes anyway changes nothing, such as OMP_NUM_THREADS=1 beside one thread.
    """
    a, b = arms["a"], arms["b"]
    if (a.python, a.requirements) != (b.python, b.requirements):
        return False
    places = {(job.task.framework, job.task.settings.threads) for job in jobs}
    return all(
        child_variables(*place, a.variables) == child_variables(*place, b.variables)
        for place in places
    )


def with_environment(arm: ArmSpec, tell: Callable[[str], None]) -> ArmSpec:
    """Return the arm with the interpreter that has everything it requires."""
    python = provide(arm, cache_folder(), tell)
    return ArmSpec(text=arm.text, python=python, variables=arm.variables)


def rules_of(arguments: Namespace, metric: str) -> Rules:
    """Return how far the comparison of a metric goes."""
    usual = {"sessions": FIRST, "most_sessions": MOST}
    for flag in usual:
        value = getattr(arguments, flag)
        if value is not None and not 1 <= value <= MOST_SESSIONS:
            name = flag.replace("_", "-")
            raise UsageError(f"--{name} {value}: must be from 1 to {MOST_SESSIONS}")
    first, most = (
        getattr(arguments, flag) or (FEWEST if arguments.quick else number)
        for flag, number in usual.items()
    )
    return Rules(
        first=min(first, most),
        most=most,
        min_effect=parse_share(arguments.min_effect),
        metric=metric,
    )


def measurable(name: str) -> str:
    """Return the name of a metric that two arms can yield.

    Raises:
        UsageError: It follows from the time, or there is none of that name.
    """
    refuse_of_the_time(name)
    if name != TIME and name not in probed_names():
        raise UsageError(unknown("metric", clean(name), [TIME, *probed_names()]))
    return name
