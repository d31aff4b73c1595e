"""A comparison by fresh runs of both arms in turns: of a script task, or of benchmark methods."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from opperf.cli.common.messages import say, teller
from opperf.cli.common.options import command_line, configuration_of
from opperf.cli.pairs.compete import Plan, compete
from opperf.comparing.arms.arm import ArmSpec, parse_arm
from opperf.comparing.arms.venv import cache_folder, provide
from opperf.comparing.campaign import Rules
from opperf.comparing.pairs.fresh_session import FreshComparison
from opperf.core.errors import UsageError
from opperf.core.machine.lock import measuring_alone
from opperf.core.units import parse_seconds
from opperf.measuring.worker.handle import Limits
from opperf.storing import PairJournal, RunDirectory
from opperf.storing.manifest import COMPARISON

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Mapping, Sequence

    from opperf.comparing.pairs.fresh_session import FreshJob

    Prepare = Callable[[Mapping[str, ArmSpec]], tuple[Sequence[FreshJob], dict[str, Any]]]


def refuse_beside(flag: str, arguments: Namespace, names: Sequence[str]) -> None:
    """Refuse flags that say which operators are measured, and how."""
    given = [name for name in names if getattr(arguments, name, None) not in (None, "", [])]
    if given:
        other = "-k" if given[0] == "filter" else f"--{given[0].replace('_', '-')}"
        raise UsageError(f"{other}: is of operators; leave it out beside {flag}")


def compare_fresh(arguments: Namespace, rules: Callable[[str], Rules], prepare: Prepare) -> int:
    """Compare in both arms, and report.

    Args:
        arguments: of the command line.
        rules: returns how far the comparison of a metric goes.
        prepare: returns what is compared, found and checked in both arms, and its manifest.
    """
    chosen = rules(arguments.metric)
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
        jobs, about = prepare(ready)
        own = {
            "budget": parse_seconds(arguments.time) if arguments.time else None,
            "strict": arguments.strict,
        }
        manifest = {
            "kind": COMPARISON,
            "command": command_line("ab", arguments.given),
            **about,
            "arms": {name: asdict(arm) for name, arm in ready.items()},
            "rules": asdict(chosen),
            **own,
        }
        runs_dir = Path(configuration_of(arguments)["runs_dir"].value)
        directory = RunDirectory.create(runs_dir, manifest)
        with PairJournal(directory.results_path) as journal:
            plan = plan_of(jobs, ready, chosen, directory, own)
            return compete(plan, directory, journal, arguments)


def resume_fresh(
    jobs: Sequence[FreshJob],
    directory: RunDirectory,
    manifest: Mapping[str, Any],
    arguments: Namespace,
) -> int:
    """Go on with a comparison that was interrupted."""
    arms = {name: ArmSpec(**arm) for name, arm in manifest["arms"].items()}
    own = {"budget": manifest["budget"], "strict": manifest["strict"]}
    plan = plan_of(jobs, arms, Rules(**manifest["rules"]), directory, own)
    with measuring_alone(wait=arguments.wait), PairJournal(directory.results_path) as journal:
        return compete(plan, directory, journal, arguments)


def plan_of(
    jobs: Sequence[FreshJob],
    arms: Mapping[str, ArmSpec],
    rules: Rules,
    directory: RunDirectory,
    own: Mapping[str, Any],
) -> Plan:
    """Return what is compared, and how far."""
    comparison = partial(FreshComparison, logs=directory.path / "logs")
    return Plan(jobs=jobs, arms=arms, limits=Limits(), rules=rules, comparison=comparison, **own)


def same(a: ArmSpec, b: ArmSpec) -> bool:
    """Return whether two arms are the same, though their texts may differ."""
    return (a.python, a.requirements, a.variables) == (b.python, b.requirements, b.variables)
