"""Go on with a run or a comparison that was interrupted, with what is missing."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from opperf.calls.measuring.plan import plan_calls
from opperf.calls.ranking.cold import cold_tasks
from opperf.cli.calls.files import exit_code_of, wrong_calls_of
from opperf.cli.calls.run import CallsOutput, add_ranking, kept_calls
from opperf.cli.common.manifest import is_sweep, limits_from, selection_from
from opperf.cli.common.messages import say
from opperf.cli.common.options import add_options, configuration_of
from opperf.cli.common.output import Output
from opperf.cli.common.stores import named_store
from opperf.cli.fleet.asking import add_fleet_alone, refuse_beside_fleet
from opperf.cli.networks.resume import resume_models
from opperf.cli.pairs.comparison import resume_comparison
from opperf.cli.pairs.flags import add_wait
from opperf.cli.running.again import again_from, earlier_results
from opperf.cli.running.agenda import Agenda, derive_sums, nothing
from opperf.cli.running.conduct import conduct
from opperf.cli.running.sweep import SweepCampaign, SweepOutput
from opperf.cli.specs.run import resume_tests
from opperf.cli.verbs.run import add_output
from opperf.core.configuration.options import YES
from opperf.core.errors import UsageError
from opperf.core.results.superseding import counting
from opperf.measuring.campaign import Campaign, Labels
from opperf.planning.companions import plan_run
from opperf.planning.due import missing_from, unreliable_from
from opperf.storing import Journal, RunDirectory
from opperf.storing.manifest import (
    COMPARISON,
    METHOD_RUN,
    MODEL_RUN,
    PYTEST_RUN,
    SPEC_RUN,
    TASK_RUN,
)

ANEW = {TASK_RUN: "a script task", METHOD_RUN: "benchmark methods", PYTEST_RUN: "tests"}
"""What is not gone on with, by the manifest's kind."""

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Mapping, Sequence

    from opperf.planning.task import Task
    from opperf.storing.database.connection import Database


def add_arguments(parser: ArgumentParser) -> None:
    """Add the flags of this verb."""
    parser.add_argument(
        "run", metavar="RUN", help="a run's id or folder, or: last; with --fleet a submission"
    )
    parser.add_argument(
        "--unreliable", action="store_true",
        help="measure the times that are not to be relied on once more",
    )  # fmt: skip
    add_wait(parser)
    add_options(parser, ["runs_dir", "store"])
    add_ranking(parser)
    add_fleet_alone(parser)
    add_output(parser)


def execute(arguments: Namespace) -> int:
    """Measure what the run's plan holds and its journal lacks."""
    refuse_beside_fleet(arguments, ())
    if arguments.fleet:
        from opperf.cli.fleet.resuming import resume_on_fleet

        return resume_on_fleet(arguments)
    configuration = configuration_of(arguments)
    directory = RunDirectory.find(Path(configuration["runs_dir"].value), arguments.run)
    manifest = directory.manifest()
    if manifest.get("kind") == COMPARISON:
        if arguments.unreliable:
            raise UsageError(f"--unreliable: {directory.run_id} is a comparison, not a run")
        return resume_comparison(directory, manifest, arguments)
    if arguments.wait:
        raise UsageError(f"--wait: {directory.run_id} is no comparison; only these take turns")
    if manifest.get("kind") == MODEL_RUN:
        return resume_models(directory, manifest, arguments, named_store(configuration))
    if manifest.get("kind") == SPEC_RUN:
        return resume_tests(directory, manifest, arguments, named_store(configuration))
    if work := ANEW.get(str(manifest.get("kind"))):
        raise UsageError(f"{directory.run_id} is of {work} and begins anew: {manifest['command']}")
    output = (SweepOutput if is_sweep(manifest) else Output).of(arguments)
    if record := kept_calls(directory, manifest):
        selection = selection_from(manifest["selection"])
        output = CallsOutput.ranked(output, record, selection, arguments, wrong_calls_of(manifest))
    store = named_store(configuration)
    with Journal(directory.results_path) as journal:
        code = resume(directory, manifest, journal, output, store, unreliable=arguments.unreliable)
    return exit_code_of(code, wrong_calls_of(manifest))


def resume(
    directory: RunDirectory,
    manifest: Mapping[str, Any],
    journal: Journal,
    output: Output,
    store: Database | None,
    *,
    unreliable: bool,
) -> int:
    """Measure what is missing; the journal is locked, so nobody else does the same.

    Then once more what is unreliable: as the run would have, or all of it where that is asked for.
    """
    if journal.found.warning:
        say(journal.found.warning)
    earlier = counting(journal.found.results)
    selection, record = selection_from(manifest["selection"]), kept_calls(directory, manifest)
    tasks: Sequence[Task] = plan_calls(record, selection) if record else plan_run(selection)
    if repeated := again_from(manifest):
        tasks = repeated.tasks(tasks, earlier_results(repeated, directory.path.parent))
    repeat = partial(unreliable_from, tasks, repeatedly=unreliable)
    retries = unreliable or manifest.get("retry") == YES
    missing = missing_from(tasks, earlier)
    again = repeat(journal.found.results) if retries else []
    beside = cold_tasks(record, selection, earlier) if record else []
    campaign = campaign_from(manifest, directory.run_id, [*missing, *again, *beside])
    packages = manifest["packages"]
    with campaign.children():
        refuse_other_packages(packages, campaign.packages(), directory.run_id)
        if not packages:  # it was interrupted while the frameworks were being loaded
            directory.add_packages(campaign.packages())
        agenda = Agenda(
            missing,
            repeat if retries else nothing,
            partial(cold_tasks, record, selection) if record else nothing,
            derive_sums(record, selection),
        )
        return conduct(campaign, agenda, directory, journal, output, store)


def campaign_from(manifest: Mapping[str, Any], run_id: str, tasks: Sequence[Task]) -> Campaign:
    """Return the campaign of these tasks in the way that the manifest describes."""
    return (SweepCampaign if is_sweep(manifest) else Campaign)(
        tasks=tasks,
        limits=limits_from(manifest["limits"]),
        variables=manifest["variables"],
        labels=Labels(run_id=run_id, command=manifest["command"], tags=tuple(manifest["tags"])),
        weigh="calls" not in manifest,
    )


def refuse_other_packages(
    then: Mapping[str, object], now: Mapping[str, object], run_id: str
) -> None:
    """Refuse to mix versions within one run."""
    for name, version in now.items():
        if then.get(name, version) != version:
            raise UsageError(
                f"run {run_id} was made with {name} {then[name]}, here is {version}; "
                "install that version, or start a new run"
            )
