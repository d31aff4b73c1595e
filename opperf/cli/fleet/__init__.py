"""Measure on many hosts: certificates, a scheduler, workers, and what they do."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from opperf.fleet.extra import naming_the_extra

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

SUBVERBS: dict[str, str] = {
    "scheduler": "opperf.cli.fleet.scheduler",
    "worker": "opperf.cli.fleet.worker",
    "status": "opperf.cli.fleet.status",
    "logs": "opperf.cli.fleet.logs",
    "cancel": "opperf.cli.fleet.cancel",
    "wait": "opperf.cli.fleet.wait",
    "certs": "opperf.cli.fleet.certs",
    "recipe": "opperf.cli.fleet.recipe",
}


def add_arguments(parser: ArgumentParser) -> None:
    """Add the subverbs and their flags."""
    subverbs = parser.add_subparsers(metavar="SUBVERB", required=True, parser_class=type(parser))
    for name, path in SUBVERBS.items():
        module = import_module(path)
        purpose = (module.__doc__ or "").splitlines()[0]
        added = subverbs.add_parser(name, help=purpose, description=purpose, allow_abbrev=False)
        module.add_arguments(added)
        added.set_defaults(carry_out=module.execute, parser=added)


def execute(arguments: Namespace) -> int:
    """Carry the subverb out."""
    with naming_the_extra():
        return int(arguments.carry_out(arguments))
