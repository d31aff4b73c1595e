"""Say which operators there are, and where each is implemented."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from opperf.cli.common.exit_codes import EMPTY
from opperf.cli.common.options import add_filter, add_format, add_names, add_options
from opperf.core.errors import UsageError
from opperf.core.filters.language import parse
from opperf.core.frameworks.registry import find_framework, framework_names
from opperf.declaring.registry import operators
from opperf.planning.selection import check_names
from opperf.planning.words import filter_of
from opperf.reporting.printing import print_rows

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterator, Mapping, Sequence

    from opperf.core.frameworks.variant import Variant
    from opperf.declaring.declaration import Declaration


def add_arguments(parser: ArgumentParser) -> None:
    """Add the flags of this verb."""
    add_names(parser)
    add_filter(parser)
    add_format(parser)
    text = "say what is declared of all that the frameworks offer, which imports them"
    parser.add_argument("--coverage", action="store_true", help=text)
    parser.add_argument(
        "--calls", nargs="+", metavar="FILE",
        help="say what is declared of the operators that networks call; a file of calls, a trace "
        "of PyTorch's profiler or a log of operatorbench each",
    )  # fmt: skip
    parser.add_argument(
        "--times", nargs="+", metavar="RUN",
        help="with --calls: runs of these calls (opperf run --calls), to say what is declared of "
        "the time as well",
    )  # fmt: skip
    add_options(parser, ["runs_dir"])


def execute(arguments: Namespace) -> int:
    """Print one row an operator, or what is covered of the frameworks' own operators."""
    if arguments.coverage or arguments.calls:
        given = "--coverage" if arguments.coverage else "--calls"
        if arguments.filter or arguments.words:
            beside = "-k" if arguments.filter else arguments.words[0]
            raise UsageError(f"{given} counts all operators; leave out {beside}")
        if arguments.coverage and arguments.calls:
            raise UsageError("--coverage and --calls are two lists; give one of them")
    if arguments.times and not arguments.calls:
        raise UsageError("--times is of a network's calls: give --calls FILE")
    if arguments.calls:
        from opperf.cli.coverage.calls import print_calls

        return print_calls(arguments)
    if arguments.coverage:
        from opperf.cli.coverage.frameworks import print_coverage

        return print_coverage(arguments.format)
    chosen = check_names(parse(filter_of(arguments.words, arguments.filter)))
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
        flat = [
            {
                **row,
                "sizes": " ".join(row["sizes"]),
                **row["frameworks"],
                "needs": "; ".join(needs_text(each) for each in row["needs"]),
            }
            for row in rows
        ]
        shown = ("name", "category", *frameworks, "purpose", "needs")
        print_rows(
            [{name: row[name] for name in shown} for row in flat], arguments.format, sys.stdout,
            keep=shown,
        )  # fmt: skip
    return 0 if rows else EMPTY


def describe(kind: type[Declaration], frameworks: Sequence[str]) -> dict[str, Any]:
    """Return an operator's declaration as one flat object; imports no framework."""
    return {
        "name": kind.name(),
        "category": kind.category,
        "purpose": " ".join((kind.__doc__ or "").partition("\n\n")[0].split()),
        "sizes": list(kind.sizes),
        "directions": list(kind.all_directions()),
        "frameworks": {name: implementation_state(kind, name) for name in frameworks},
        "needs": [need for name in frameworks for need in needs(kind, name)],
    }


def needs(kind: type[Declaration], framework: str) -> Iterator[dict[str, Any]]:
    """Yield what instruction sets a framework needs for some dtypes, and why they are not here."""
    front = find_framework(framework)
    for requirement in front.requirements:
        if variants := requirement.variants(kind.name()):
            yield {
                "framework": framework,
                "variants": [variant for variant in variants if variant != "only"],
                "dtypes": list(requirement.dtypes),
                "requires": requirement.requires,
                "words": requirement.words,
                "shortage": front.shortage(requirement.requires),
            }


def needs_text(need: Mapping[str, Any]) -> str:
    """Return what a framework needs, and whether it is missing here, in a few words."""
    missing = " (missing)" if need["shortage"] else ""
    one = need["variants"] if len(need["variants"]) == 1 else []
    where = " ".join([need["framework"], *one, *need["dtypes"]])
    return f"{where}: {need['requires']}{missing}"


def implementation_state(kind: type[Declaration], framework: str) -> str:
    """Return "ok" where the framework's table has the operator, installed or not."""
    is_unfused = kind.fusable and framework not in ("mxnet", "pytorch")
    variant: Variant = "unfused" if is_unfused else "only"
    found = find_framework(framework).implementation(kind, variant=variant)
    return "ok" if found else "not implemented"
