"""Go on with a run or a comparison that was interrupted, with what is missing."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from opperf.cli.comparison import resume_comparison
from opperf.cli.conduct import Agenda, conduct
from opperf.cli.options import add_options, configuration_of, share_of_memory
from opperf.cli.output import Output, say
from opperf.cli.run import add_output
from opperf.cli.stores import named_store
from opperf.cli.sweep import SweepCampaign, SweepOutput
from opperf.core.configuration.options import YES
from opperf.core.configuration.settings import Settings
from opperf.core.errors import UsageError
from opperf.core.results.superseding import latest
from opperf.measuring.campaign import Campaign, Labels
from opperf.measuring.worker.handle import Limits
from opperf.planning.companions import planned
from opperf.planning.plan import Selection, missing_from, unreliable_from
from opperf.storing import Journal, RunDirectory

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Mapping, Sequence

    from opperf.planning.task import Task
    from opperf.storing.database.connection import Database


def add_arguments(parser: ArgumentParser) -> None:
    """Add the flags of this verb."""
    parser.add_argument("run", metavar="RUN", help="a run's id or folder, or: last")
    parser.add_argument(
        "--unreliable", action="store_true",
        help="measure the times that are not to be relied on once more",
    )  # fmt: skip
    add_options(parser, ["runs_dir", "store"])
    add_output(parser)


def execute(arguments: Namespace) -> int:
    """Measure what the run's plan holds and its journal lacks."""
    configuration = configuration_of(arguments)
    directory = RunDirectory.find(Path(configuration["runs_dir"].value), arguments.run)
    manifest = directory.manifest()
    if directory.is_comparison:
        if arguments.unreliable:
            raise UsageError(f"--unreliable: {directory.run_id} is a comparison, not a run")
        return resume_comparison(directory, arguments)
    output = (SweepOutput if is_sweep(manifest) else Output).of(arguments)
    store = named_store(configuration)
    with Journal(directory.results_path) as journal:
        return resume(directory, manifest, journal, output, store, unreliable=arguments.unreliable)


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
    earlier = latest(journal.found.results)
    tasks = planned(selection_from(manifest["selection"]))
    repeat = partial(unreliable_from, tasks, repeatedly=unreliable)
    retries = unreliable or manifest.get("retry") == YES
    missing = missing_from(tasks, earlier)
    again = repeat(earlier) if retries else []
    campaign = campaign_from(manifest, directory.run_id, [*missing, *again])
    packages = manifest["packages"]
    with campaign.started():
        refuse_other_packages(packages, campaign.packages(), directory.run_id)
        agenda = Agenda(missing, repeat) if retries else Agenda(missing)
        return conduct(campaign, agenda, directory, journal, output, store)


def campaign_from(manifest: Mapping[str, Any], run_id: str, tasks: Sequence[Task]) -> Campaign:
    """Return the campaign of these tasks in the way that the manifest describes."""
    return (SweepCampaign if is_sweep(manifest) else Campaign)(
        tasks=tasks,
        limits=limits_from(manifest["limits"]),
        variables=manifest["variables"],
        labels=Labels(run_id=run_id, command=manifest["command"], tags=tuple(manifest["tags"])),
    )


def is_sweep(manifest: Mapping[str, Any]) -> bool:
    """Return whether the run is a sweep over sizes; older manifests do not say so."""
    return manifest["selection"].get("sweep") is True


def selection_from(stored: Mapping[str, Any]) -> Selection:
    """Return the selection as it was stored; earlier ones knew one device a run."""
    if "device" in stored:
        others = {name: value for name, value in stored.items() if name != "device"}
        return selection_from({**others, "devices": [stored["device"]]})
    names = ("frameworks", "sizes", "devices", "threads")
    settings = Settings(**stored["settings"])
    lists = {name: tuple(stored[name]) for name in names if name in stored}
    lists.setdefault("threads", (settings.threads,))
    return Selection(**{**stored, **lists, "settings": settings})


def limits_from(stored: Mapping[str, Any]) -> Limits:
    """Return the limits as they were stored."""
    times = {name: float(stored[name]) for name in ("timeout", "compile_timeout")}
    memory = stored["memory"]
    return Limits(**times, memory=memory, together=max(memory or 0, share_of_memory() or 0) or None)


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
