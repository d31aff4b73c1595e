"""List or remove the virtual environments that `opperf ab` has made for its arms."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from opperf.cli.options import add_format
from opperf.cli.output import say
from opperf.comparing.arms.venv import cache_folder, keys_in, remove, venvs
from opperf.reporting.printing import print_rows
from opperf.reporting.text import columns

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def add_arguments(parser: ArgumentParser) -> None:
    """Add the two things that can be done."""
    steps = parser.add_subparsers(dest="step", metavar="list|rm", required=True)
    listing = steps.add_parser("list", help="print them")
    add_format(listing)
    removing = steps.add_parser("rm", help="remove them")
    removing.add_argument("key", nargs="*", metavar="KEY", help="as `opperf venv list` shows it")
    removing.add_argument("--all", action="store_true", help="all of them")


def execute(arguments: Namespace) -> int:
    """Do what was asked for."""
    folder = cache_folder()
    if arguments.step == "list":
        found = venvs(folder)
        rows = [
            {"key": venv.key, "requirements": " ".join(venv.requirements), "path": venv.path}
            for venv in found
        ]
        incomplete = sorted({*keys_in(folder)} - {venv.key for venv in found})
        rows += [
            {"key": key, "requirements": "incomplete", "path": str(folder / key)}
            for key in incomplete
        ]
        print_rows(rows, arguments.format, sys.stdout, width=columns(sys.stdout, 160))
        if not rows:
            say(f"no environments in {folder}: `opperf ab` makes one for an arm that requires it")
        return 0
    keys = keys_in(folder) if arguments.all else arguments.key
    for key in remove(folder, keys):
        say(f"removed {key}")
    if not keys:
        advice = "" if arguments.all else ": name one of `opperf venv list`, or give --all"
        say(f"nothing to remove{advice}")
    return 0
