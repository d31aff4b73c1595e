"""Print every option's value and where it came from."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from opperf.cli.common.options import add_format, add_options, configuration_of, shown_value
from opperf.reporting.printing import print_rows
from opperf.storing.addresses import redact

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def add_arguments(parser: ArgumentParser) -> None:
    """Add the flags of this verb."""
    add_format(parser)
    add_options(parser)


def execute(arguments: Namespace) -> int:
    """Print one row an option."""
    rows = [
        {
            "option": name,
            "value": None if value.value is None else redact(shown_value(value.value)),
            "origin": value.origin,
        }
        for name, value in configuration_of(arguments).items()
    ]
    print_rows(rows, arguments.format, sys.stdout)
    return 0
