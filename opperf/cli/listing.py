"""Say which operators there are, and where each is implemented."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from opperf.cli.options import add_filter, add_format
from opperf.core.errors import UsageError
from opperf.core.filters.language import parse
from opperf.core.frameworks.registry import find_framework, framework_names
from opperf.operators.registry import operators
from opperf.plan import check_names
from opperf.reporting.files import print_rows

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence

    from opperf.operator import Operator

EMPTY = 12


def add_arguments(parser: ArgumentParser) -> None:
    """Add the flags of this verb."""
    add_filter(parser)
    add_format(parser)
    text = "say what is declared of all that the frameworks offer, which imports them"
    parser.add_argument("--coverage", action="store_true", help=text)


def execute(arguments: Namespace) -> int:
    """Print one row an operator, or what is covered of the frameworks' own operators."""
    if arguments.coverage:
        if arguments.filter:
            raise UsageError("--coverage counts all operators; leave out -k")
        from opperf.cli.coverage import print_coverage

        return print_coverage(arguments.format)
    chosen = check_names(parse(arguments.filter))
    frameworks = framework_names()  # asked once: it looks through all installed packages
    rows = [
        describe(kind, frameworks)
        for kind in operators().values()
        if chosen.matches(
            {"name": kind.name(), "category": kind.category, "tag": " ".join(kind.tags)}
        )
    ]
    if arguments.format == "json":
        json.dump(rows, sys.stdout, indent=1)
        print()
    else:
        flat = [{**row, "sizes": " ".join(row["sizes"]), **row["frameworks"]} for row in rows]
        shown = ("name", "category", *frameworks, "purpose")
        print_rows(
            [{name: row[name] for name in shown} for row in flat], arguments.format, sys.stdout
        )
    return 0 if rows else EMPTY


def describe(kind: type[Operator], frameworks: Sequence[str]) -> dict[str, Any]:
    """Return what there is to know of an operator without importing a framework."""
    return {
        "name": kind.name(),
        "category": kind.category,
        "purpose": " ".join((kind.__doc__ or "").partition("\n\n")[0].split()),
        "sizes": list(kind.sizes),
        "directions": list(kind.all_directions()),
        "frameworks": {name: implemented(kind, name) for name in frameworks},
    }


def implemented(kind: type[Operator], framework: str) -> str:
    """Return "ok" where the framework's table has the operator, installed or not."""
    fused = False if kind.fusable and framework not in ("mxnet", "pytorch") else None
    found = find_framework(framework).implementation(kind, fused=fused)
    return "ok" if found else "not implemented"
