"""Print the facts of this machine and of the frameworks' builds, as records carry them."""

from __future__ import annotations

import json
import sys
from itertools import product
from typing import TYPE_CHECKING, Any

from opperf.cli.common.options import (
    add_format,
    add_options,
    configuration_of,
    devices_of,
    memory_of,
    settings_of,
)
from opperf.core.environment import collect
from opperf.core.frameworks.registry import find_framework, require_installed
from opperf.measuring.worker.handle import Limits, Worker
from opperf.reporting.printing import print_rows

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Mapping

    from opperf.core.configuration.options import Configuration


def add_arguments(parser: ArgumentParser) -> None:
    """Add the flags of this verb."""
    add_format(parser)
    add_options(parser, ["framework", "device", "threads", "timeout", "memory_limit"])


def execute(arguments: Namespace) -> int:
    """Print this process's facts, or those of a child that has loaded each framework named."""
    configuration = configuration_of(arguments)
    named, devices = configuration["framework"].value, devices_of(configuration)
    found: dict[str, Mapping[str, Any]] = {} if named else {"": collect()}
    for name, device in product(named or (), devices):
        key = name if len(devices) == 1 else f"{name} {device}"
        found[key] = facts_in_child(name, device, configuration)
    if arguments.format == "json":
        json.dump(found if named else found[""], sys.stdout, indent=1)
        print()
        return 0
    rows = [
        ({"framework": name} if named else {}) | {"fact": fact, "value": fact_text(value)}
        for name, facts in found.items()
        for fact, value in facts.items()
    ]
    print_rows(rows, arguments.format, sys.stdout)
    return 0


def facts_in_child(name: str, device: str, configuration: Configuration) -> Mapping[str, Any]:
    """Return what a child finds that has loaded the framework for the device."""
    require_installed(find_framework(name))
    worker = Worker(
        framework=name,
        device=device,
        threads=settings_of(configuration).threads,
        limits=Limits(timeout=configuration["timeout"].value, memory=memory_of(configuration)),
    )
    try:
        worker.ensure()
        return worker.environment
    finally:
        worker.close()


def fact_text(value: object) -> str:
    """Return a fact as a line of text."""
    if value is None:
        return "-"
    return value if isinstance(value, str) else json.dumps(value)
