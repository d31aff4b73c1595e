"""Going on with a run of networks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.cli.common.manifest import limits_from
from opperf.cli.common.messages import say
from opperf.cli.networks.output import ModelsOutput
from opperf.cli.networks.run import ModelRun
from opperf.core.errors import UsageError
from opperf.networks.measuring.task import model_task_from
from opperf.storing import Journal

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Mapping

    from opperf.storing import RunDirectory
    from opperf.storing.database.connection import Database


def resume_models(
    directory: RunDirectory,
    manifest: Mapping[str, Any],
    arguments: Namespace,
    store: Database | None,
) -> int:
    """Measure what the run's sessions lack; the journal is locked meanwhile."""
    if arguments.unreliable:
        raise UsageError(f"--unreliable: {directory.run_id} is of networks; give more --sessions")
    run = ModelRun(
        tasks=[*map(model_task_from, manifest["tasks"])],
        sessions=manifest["sessions"],
        limits=limits_from(manifest["limits"]),
        variables=manifest["variables"],
        command=manifest["command"],
        tags=tuple(manifest["tags"]),
        logs=tuple(manifest.get("logs", ())),
    )
    with Journal(directory.results_path) as journal:
        if journal.found.warning:
            say(journal.found.warning)
        return run.go_on(directory, journal, ModelsOutput.of(arguments), store)
