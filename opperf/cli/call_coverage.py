"""`opperf list --calls`: what our declarations cover of the calls of networks."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from opperf.calls.ranking.coverage import coverage, shares
from opperf.calls.reading.reading import read_calls
from opperf.cli.output import say
from opperf.core.frameworks.calling import BOOKKEEPING, DECLARED, MISSING, VIEW
from opperf.reporting.printing import print_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.calls.format.model import CallsRecord
    from opperf.calls.ranking.coverage import Covered

MOST_NAMES = 3
KINDS = {
    DECLARED: "of operators that are declared",
    VIEW: "of views, which move no data",
    BOOKKEEPING: "of what makes room for tensors or asks for a fact",
    MISSING: "of operators that are not declared",
}


def print_calls(files: Sequence[str], form: str) -> int:
    """Print what is covered of the calls in these files."""
    records = [read_calls(Path(name), say) for name in files]
    covered = coverage(records)
    if form == "json":
        json.dump([record_of(one) for one in covered], sys.stdout, indent=1)
        print()
        return 0
    print_rows([row_of(one) for one in covered], form, sys.stdout)
    if form == "table":
        print()
        for line in summary(records, covered):
            print(line)
    return 0


def record_of(one: Covered) -> dict[str, Any]:
    """Return an operator with every declaration."""
    meaning = one.meaning
    return {
        "framework": one.framework, "operator": one.operator, "calls": one.calls,
        "distinct": one.distinct, "networks": one.networks, "share": one.share,
        "kind": meaning.kind, "forward": meaning.forward, "backward": meaning.backward,
        "same_as": meaning.same or None, "why": meaning.why or None,
    }  # fmt: skip


def row_of(one: Covered) -> dict[str, object]:
    """Return an operator as a row, of the declarations only some."""
    names = [
        *one.meaning.forward,
        *(f"{name} backward" for name in one.meaning.backward),
    ]
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return {
        "operator": one.operator,
        "framework": one.framework,
        "calls": one.calls,
        "distinct": one.distinct,
        "networks": one.networks,
        "share": f"{one.share:.2%}",
        "kind": one.meaning.kind,
        "measured by": ", ".join(names[:MOST_NAMES]) + more or one.meaning.why or None,
    }


def summary(records: Sequence[CallsRecord], covered: Sequence[Covered]) -> list[str]:
    """Return how many calls there are, and which share of them is what."""
    calls = sum(one.calls for one in covered)
    distinct = sum(one.distinct for one in covered)
    counts = f"{calls:,} calls, {distinct:,} distinct, of {len(covered):,} operators"
    return [
        f"{counts} in {len(records):,} networks",
        *(f"{share:7.2%} {KINDS[kind]}" for kind, share in shares(covered).items()),
    ]
