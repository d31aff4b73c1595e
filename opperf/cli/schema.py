"""Print the JSON Schema of a stored format."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def add_arguments(parser: ArgumentParser) -> None:
    """Add the flags of this verb."""
    parser.add_argument("name", choices=("result",), help="which format")


def execute(arguments: Namespace) -> int:  # noqa: ARG001 - there is one format so far
    """Print the schema, derived from the record's classes."""
    from opperf.core.results.json_schema import record_schema

    print(json.dumps(record_schema(), indent=1))
    return 0
