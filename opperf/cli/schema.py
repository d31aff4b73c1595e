"""Print the JSON Schema of a stored format."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def add_arguments(parser: ArgumentParser) -> None:
    """Add the flags of this verb."""
    parser.add_argument("name", choices=("result",), help="which format")


def execute(arguments: Namespace) -> int:
    """Print the schema as it ships."""
    schema = files("opperf.core.results") / f"{arguments.name}.schema.json"
    print(schema.read_text(encoding="utf-8"), end="")
    return 0
