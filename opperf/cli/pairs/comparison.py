"""A comparison that was stored: showing it again, and going on with it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from opperf.api.verdicts import evidence_of
from opperf.cli.common.filtering import matching
from opperf.cli.common.manifest import limits_from, selection_from
from opperf.cli.common.messages import leaving_early, say
from opperf.cli.common.options import configuration_of
from opperf.cli.pairs.arms import (
    ArmsPlan,
    jobs_of_reference,
    kept_entries,
    show_arms,
    total_of_arms,
)
from opperf.cli.pairs.calls import kept_network
from opperf.cli.pairs.compete import Plan, compete, exit_code, show, show_networks, total_of
from opperf.cli.pairs.fresh import resume_fresh
from opperf.cli.pairs.method import methods_compared
from opperf.cli.pairs.model import kept_models
from opperf.cli.pairs.task import stored_task
from opperf.comparing.arms.arm import ArmSpec
from opperf.comparing.campaign import Rules
from opperf.comparing.pairs.job import jobs_of
from opperf.comparing.rounds.evidence import ArmsEvidence
from opperf.core.machine.lock import measuring_alone
from opperf.core.results.pair import pair_from
from opperf.planning.plan import make_plan
from opperf.reporting.registry import require_form
from opperf.reporting.subjects import Listing
from opperf.storing import PairJournal, RunDirectory, read_whole

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Mapping, Sequence

    from opperf.comparing.campaign import Evidence
    from opperf.comparing.pairs.job import Job
    from opperf.comparing.total import Total
    from opperf.core.filters.language import Filter


def named_comparison(arguments: Namespace) -> RunDirectory | None:
    """Return the comparison that a command names; None for a run, or one in a store."""
    configuration = configuration_of(arguments)
    if configuration["store"].origin == "command line":
        return None
    directory = RunDirectory.find(Path(configuration["runs_dir"].value), arguments.run)
    return directory if directory.is_comparison else None


def show_comparison(directory: RunDirectory, form: str, condition: Filter) -> int:
    """Print a comparison's verdicts as far as it came, and return their exit code."""
    require_form(form, Listing)
    evidence = stored_evidence(directory, condition)
    network = kept_network(directory, directory.manifest())
    if isinstance(evidence, ArmsEvidence):
        return exit_code(show_arms(evidence, network, form), strict=False)
    total = total_of(evidence, network)
    with leaving_early():
        show(total, evidence.rules.min_effect, form)
        show_networks(network, evidence, form)
    return exit_code(total, strict=False)


def stored_evidence(directory: RunDirectory, condition: Filter) -> Evidence | ArmsEvidence:
    """Return what a comparison has found so far of the chosen, by the rules that it was given."""
    reading = read_whole(directory.results_path, pair_from)
    if reading.warning:
        say(reading.warning)
    return evidence_of(directory.manifest(), matching(reading.results, condition))


def stored_verdicts(directory: RunDirectory, condition: Filter) -> tuple[Rules, Total]:
    """Return what a comparison was asked to find, and its rows of the chosen."""
    evidence = stored_evidence(directory, condition)
    network = kept_network(directory, directory.manifest())
    if isinstance(evidence, ArmsEvidence):
        return evidence.rules, total_of_arms(evidence, network)
    return evidence.rules, total_of(evidence, network)


def resume_comparison(
    directory: RunDirectory, manifest: Mapping[str, Any], arguments: Namespace
) -> int:
    """Go on where the comparison of this manifest was interrupted."""
    require_form(arguments.format, Listing)
    if "task" in manifest or "methods" in manifest:
        runs = stored_task(manifest) if "task" in manifest else methods_compared(manifest)
        return resume_fresh(runs, directory, manifest, arguments)
    network = kept_network(directory, manifest)
    selection = selection_from(manifest["selection"])
    jobs: Sequence[Job] = kept_models(manifest) or (
        network.all if network else jobs_of(make_plan(selection, here=False))
    )
    entries = kept_entries(manifest) if "reference" in manifest else {}
    two = {name: ArmSpec(**arm) for name, arm in manifest["arms"].items()} if not entries else {}
    kind = ArmsPlan if entries else Plan
    plan = kind(
        jobs=jobs_of_reference(jobs, entries) if entries else jobs,
        network=network,
        arms=entries or two,
        limits=limits_from(manifest["limits"]),
        rules=Rules(**manifest["rules"]),
        budget=manifest["budget"],
        strict=manifest["strict"],
    )
    with measuring_alone(wait=arguments.wait), PairJournal(directory.results_path) as journal:
        if journal.found.warning:
            say(journal.found.warning)
        return compete(plan, directory, journal, arguments)
