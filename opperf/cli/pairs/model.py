"""A comparison of whole networks in two arms: which are asked for, and what was kept of them.

They are networks by name, and the models of specifications.
"""

from __future__ import annotations

from argparse import SUPPRESS, ArgumentParser
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from opperf.cli.common.options import threads_of
from opperf.cli.networks.flags import add_boolean, add_model_flags, spellings, whole
from opperf.cli.networks.requests import requests_of
from opperf.cli.pairs.selection import frameworks_in
from opperf.cli.pairs.spec import add_specs, refuse_without_spec, spec_tasks
from opperf.comparing.campaign import TIME
from opperf.comparing.networks.jobs import step_jobs
from opperf.core.configuration.options import Value
from opperf.core.configuration.settings import Settings
from opperf.core.errors import UsageError
from opperf.networks.measuring.task import model_task, model_task_from
from opperf.specs.measuring.task import SpecTask, spec_task_from

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Mapping

    from opperf.comparing.arms.arm import ArmSpec
    from opperf.comparing.networks.jobs import StepJob
    from opperf.core.configuration.options import Configuration

OURS = ("model", "forward_only", "batch_size", "model_dir")
BESIDE = ("filter", "input", "calls", "network", "size")


def add_models(parser: ArgumentParser) -> None:
    """Add the flags that name networks, and what they are to do."""
    parser.add_argument(
        "--model", action="append", default=[], metavar="MODEL",
        help="compare a network's step: docs/networks.md; several times for several",
    )  # fmt: skip
    add_boolean(parser, "forward_only", default=False, purpose="with --model: infer")
    parser.add_argument(
        *spellings("batch_size"), type=whole(1), default=SUPPRESS, metavar="N",
        help="with --model: examples in a step",
    )  # fmt: skip
    parser.add_argument(
        "--model-dir", action="append", default=[], metavar="DIR",
        help="with --model: a folder with files of networks of one's own",
    )  # fmt: skip
    add_specs(parser)


def asked_models(
    arguments: Namespace, configuration: Configuration, arms: Mapping[str, ArmSpec], metric: str
) -> list[StepJob]:
    """Return the steps that are compared; none where no network and no specification is named.

    Raises:
        UsageError: one is not known, or a flag does not go with them.
    """
    refuse_without_spec(arguments)
    own = "--spec" if arguments.spec else "--model"
    if not arguments.model and not arguments.spec:
        return []
    for name in BESIDE:
        if getattr(arguments, name) not in (None, "", []):
            flag = "-k" if name == "filter" else f"--{name}"
            raise UsageError(f"{flag}: is of operators; leave it out beside {own}")
    if metric != TIME:
        raise UsageError(f"--metric {metric} does not go with {own}: steps are compared by time")
    tests = step_jobs([*spec_tasks(arguments, configuration, arms)])
    if not arguments.model:
        return tests
    parser = ArgumentParser()
    add_model_flags(parser)
    asked = parser.parse_args([])
    for name in OURS:
        if name in arguments:
            setattr(asked, name, getattr(arguments, name))
    if named := frameworks_in(arms):
        configuration = {**configuration, "framework": Value(named, "the arms")}
    seed = configuration["seed"].value
    steps = step_jobs([
        model_task(request, Settings(seed=seed, threads=threads))
        for request in requests_of(asked, configuration)
        for threads in threads_of(configuration)
    ])  # fmt: skip
    return [*steps, *tests]


def kept_models(manifest: Mapping[str, Any]) -> list[StepJob]:
    """Return the steps that a stored comparison is of."""
    models = map(model_task_from, manifest.get("models", ()))
    return step_jobs([*models, *map(spec_task_from, manifest.get("specs", ()))])


def models_manifest(jobs: list[StepJob]) -> dict[str, Any]:
    """Return what run.json says of them."""
    tests = [asdict(job.task) for job in jobs if isinstance(job.task, SpecTask)]
    models = [asdict(job.task) for job in jobs if not isinstance(job.task, SpecTask)]
    return {name: tasks for name, tasks in (("models", models), ("specs", tests)) if tasks}
