"""A comparison of a script task: fresh runs of both arms in turns."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from opperf.cli.compete import Plan, compete
from opperf.cli.options import command_line, configuration_of
from opperf.cli.output import say, teller
from opperf.cli.task import named_task
from opperf.cli.watched import time_limit
from opperf.comparing.arms.arm import ArmSpec, parse_arm
from opperf.comparing.arms.venv import cache_folder, provide
from opperf.comparing.campaign import TIME, Rules
from opperf.comparing.pairs.task_session import TaskComparison, TaskJob
from opperf.core.errors import UsageError, unknown
from opperf.core.machine.lock import measuring_alone
from opperf.core.units import parse_seconds
from opperf.measuring.worker.handle import Limits
from opperf.storing import PairJournal, RunDirectory
from opperf.storing.manifest import COMPARISON
from opperf.tasks.file import read_sections
from opperf.tasks.section import USAGE, task_from

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Mapping, Sequence

    from opperf.tasks.task import ScriptTask


def refuse_of_operators(arguments: Namespace, names: Sequence[str]) -> None:
    """Refuse flags that say which operators are measured, and how."""
    given = [name for name in names if getattr(arguments, name, None) not in (None, "", [])]
    if given:
        flag = "-k" if given[0] == "filter" else f"--{given[0].replace('_', '-')}"
        raise UsageError(f"{flag}: is of operators; leave it out beside --task")


def compare_task(arguments: Namespace, rules: Callable[[str], Rules]) -> int:
    """Compare a task in both arms, and report.

    Args:
        arguments: of the command line.
        rules: returns how far the comparison of a metric goes.
    """
    task, num_gpus = named_task(arguments, arguments.task)
    refuse_unknown(task, arguments.metric)
    timeout = time_limit(arguments)
    job = TaskJob(task=task, num_gpus=num_gpus, timeout=timeout)
    arms = {"a": parse_arm(arguments.a), "b": parse_arm(arguments.b)}
    if same(arms["a"], arms["b"]):
        say("both arms come out identical, in interpreter, packages and settings: this is A with A")
    with measuring_alone(wait=arguments.wait):
        tell = teller(quiet=arguments.quiet)
        ready = {
            name: ArmSpec(
                text=arm.text,
                python=provide(arm, cache_folder(), tell),
                variables=arm.variables,
            )
            for name, arm in arms.items()
        }
        for arm in ready.values():
            task.watch_command(num_gpus, arm.variables, arm.python).check()
        own = {
            "budget": parse_seconds(arguments.time) if arguments.time else None,
            "strict": arguments.strict,
        }
        chosen = rules(arguments.metric)
        manifest = {
            "kind": COMPARISON,
            "command": command_line("ab", arguments.given),
            "task": dict(read_sections(Path(arguments.config))[task.name]),
            "task_name": task.name,
            "num_gpus": num_gpus,
            "time_limit": timeout,
            "arms": {name: asdict(arm) for name, arm in ready.items()},
            "rules": asdict(chosen),
            **own,
        }
        runs_dir = Path(configuration_of(arguments)["runs_dir"].value)
        directory = RunDirectory.create(runs_dir, manifest)
        with PairJournal(directory.results_path) as journal:
            plan = plan_of(job, ready, chosen, directory, own)
            return compete(plan, directory, journal, arguments)


def resume_task(
    directory: RunDirectory, manifest: Mapping[str, Any], journal: PairJournal, arguments: Namespace
) -> int:
    """Go on with a comparison of a task that was interrupted."""
    job = TaskJob(
        task=task_from(manifest["task_name"], manifest["task"]),
        num_gpus=manifest["num_gpus"],
        timeout=manifest["time_limit"],
    )
    arms = {name: ArmSpec(**arm) for name, arm in manifest["arms"].items()}
    own = {"budget": manifest["budget"], "strict": manifest["strict"]}
    plan = plan_of(job, arms, Rules(**manifest["rules"]), directory, own)
    return compete(plan, directory, journal, arguments)


def plan_of(
    job: TaskJob,
    arms: Mapping[str, ArmSpec],
    rules: Rules,
    directory: RunDirectory,
    own: Mapping[str, Any],
) -> Plan:
    """Return what is compared, and how far."""
    comparison = partial(TaskComparison, logs=directory.path / "logs")
    return Plan(jobs=[job], arms=arms, limits=Limits(), rules=rules, comparison=comparison, **own)


def refuse_unknown(task: ScriptTask, name: str) -> None:
    """Refuse a metric that a task has not."""
    names = dict.fromkeys([TIME, *(metric.name for metric in task.metrics), *USAGE])
    if name not in names:
        raise UsageError(unknown("metric", name, names))


def same(a: ArmSpec, b: ArmSpec) -> bool:
    """Return whether two arms are the same, though their texts may differ."""
    return (a.python, a.requirements, a.variables) == (b.python, b.requirements, b.variables)
