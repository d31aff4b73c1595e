"""What the processes of each arm have found of their environment, kept beside the results."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from opperf.core.disk import write_whole
from opperf.core.errors import UsageError
from opperf.storing.document import parse

if TYPE_CHECKING:
    from collections.abc import Mapping

    from opperf.storing import RunDirectory

ARMS = "arms.json"
"""Beside the results: what the processes of each arm have found of their environment."""


def remember(
    directory: RunDirectory,
    environments: Mapping[str, Mapping[str, Any]],
    *,
    grows: bool = False,
) -> None:
    """Keep what the arms are; refuse to mix versions within one comparison.

    Where it `grows`, an arm that was in no session before is added.

    Raises:
        UsageError: an arm is not what it was when the comparison began.
    """
    path = directory.path / ARMS
    found = {name: dict(environment) for name, environment in environments.items()}
    if not found:
        return
    if not path.exists():
        write_whole(path, json.dumps(found, indent=2, default=str).encode() + b"\n")
        return
    before = environments_of_arms(directory)
    for name, environment in found.items():
        facts = before.get(name)
        if facts is None and grows:
            continue
        if facts is None:
            raise UsageError(f"{path} is damaged: it lacks arm {name}; start a new comparison")
        then, now = (known.get("framework_version") for known in (facts, environment))
        if then != now:
            raise UsageError(
                f"arm {name} of run {directory.run_id} was {then}, here it is {now}; "
                "start a new comparison"
            )
    if not before.keys() >= found.keys():
        write_whole(path, json.dumps({**found, **before}, indent=2, default=str).encode() + b"\n")


def environments_of_arms(directory: RunDirectory) -> dict[str, dict[str, Any]]:
    """Return what is kept of each arm by its name: nothing before the first session.

    Raises:
        UsageError: The file is no JSON; names it.
    """
    path = directory.path / ARMS
    try:
        kept = parse(path.read_bytes()) if path.exists() else {}
    except UsageError as error:
        raise UsageError(f"{path} is damaged: {error}") from error
    arms = kept.items() if isinstance(kept, dict) else ()
    return {name: facts for name, facts in arms if isinstance(facts, dict)}
