"""Print the JSON Schema of a stored format."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def add_arguments(parser: ArgumentParser) -> None:
    """Add the flags of this verb."""
    parser.add_argument("name", choices=("result", "calls", "spec"), help="which format")


def execute(arguments: Namespace) -> int:
    """Print the schema, derived from the format's classes."""
    if arguments.name == "calls":
        from opperf.calls.format.schema import calls_schema as schema_of
    elif arguments.name == "spec":
        from opperf.specs.format.schema import spec_schema as schema_of
    else:
        from opperf.core.results.json_schema import record_schema as schema_of
    print(json.dumps(schema_of(), indent=1))
    return 0
