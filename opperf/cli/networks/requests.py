"""What is asked of each network that a command line names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.cli.common.options import frameworks_of
from opperf.cli.networks.flags import folders_of, model_request
from opperf.core.errors import UsageError, unknown
from opperf.core.frameworks.registry import find_framework, require_installed
from opperf.networks.data.opening import check_data
from opperf.networks.discovery import FRAMEWORKS, find_entries, library_entry

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator

    from opperf.core.configuration.options import Configuration
    from opperf.networks.request import ModelRequest


def requests_of(arguments: Namespace, configuration: Configuration) -> list[ModelRequest]:
    """Return what is asked of each network on each framework.

    Raises:
        UsageError: none is named, one is not known, or its data are not there.
    """
    models = list(dict.fromkeys([*arguments.models, *arguments.model]))
    if not models:
        raise UsageError("name a model: opperf model resnet50; opperf model --list has all")
    found = []
    for model in models:
        for framework in frameworks_with(model, arguments, configuration):
            found.append(model_request(arguments, configuration, model, framework))
            check_data(found[-1].data)
    return found


def frameworks_with(
    model: str, arguments: Namespace, configuration: Configuration
) -> Iterator[str]:
    """Yield the frameworks that are named, else those here that have the model.

    Raises:
        UsageError: one that is named is none of networks or not here; or none has the model.
    """
    named = configuration["framework"].value
    frameworks = frameworks_of(configuration)
    entries = {}
    for framework in frameworks:
        if framework not in FRAMEWORKS:
            raise UsageError(f"--framework {framework}: networks are of {', '.join(FRAMEWORKS)}")
        require_installed(find_framework(framework))
        entries[framework] = find_entries(framework, folders_of(arguments))
    having = [name for name in frameworks if model in entries[name] or library_entry(model, name)]
    if not having:
        every = {name for found in entries.values() for name in found}
        raise UsageError(unknown(f"model of {', '.join(frameworks)}", model, every))
    yield from frameworks if named else having
