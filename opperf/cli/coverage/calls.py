"""`opperf list --calls`: what our declarations cover of the calls of networks."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from opperf.calls.ranking.coverage import coverage, shares, time_shares
from opperf.cli.calls.files import read_file
from opperf.cli.common.exit_codes import FAILED, FINE
from opperf.cli.common.messages import say
from opperf.cli.common.output import print_lines
from opperf.cli.coverage.times import rankings_of, times_lines
from opperf.core.frameworks.calling import BOOKKEEPING, DECLARED, MISSING, VIEW
from opperf.core.units import format_seconds
from opperf.reporting.printing import print_rows

if TYPE_CHECKING:
    from argparse import Namespace
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


def print_calls(arguments: Namespace) -> int:
    """Print what is covered of the calls in these files, and of their time where runs are named.

    Return whether all of them could be read.
    """
    read = [read_file(name) for name in arguments.calls]
    records = [one.record for one in read]
    form, timed = arguments.format, arguments.times is not None
    rankings = rankings_of(records, arguments) if timed else []
    covered = coverage(records, filter(None, rankings))
    if form == "json":
        json.dump([record_of(one, timed=timed) for one in covered], sys.stdout, indent=1)
        print()
    else:
        print_rows(
            [row_of(one, timed=timed) for one in covered], form, sys.stdout,
            keep=("operator", "share", "time", "of time", "kind", "calls"), times=("time",),
        )  # fmt: skip
    if form == "table":
        lines = [*summary(records, covered, timed=timed), *times_lines(records, rankings)]
        print_lines(["", *lines])
    else:
        for line in times_lines(records, rankings):
            say(line)
    return FAILED if any(one.faults.count for one in read) else FINE


def record_of(one: Covered, *, timed: bool) -> dict[str, Any]:
    """Return an operator with every declaration."""
    meaning = one.meaning
    times = {"timed": one.timed, "seconds": one.seconds, "time_share": one.time_share}
    return {
        "framework": one.framework, "operator": one.operator, "calls": one.calls,
        "distinct": one.distinct, "networks": one.networks, "share": one.share,
        **(times if timed else {}),
        "kind": meaning.kind, "forward": meaning.forward, "backward": meaning.backward,
        "same_as": meaning.same or None, "why": meaning.why or None,
    }  # fmt: skip


def row_of(one: Covered, *, timed: bool) -> dict[str, object]:
    """Return an operator as a row, of the declarations only some."""
    names = [
        *one.meaning.forward,
        *(f"{name} backward" for name in one.meaning.backward),
    ]
    times = {
        "time": None if one.seconds is None else format_seconds(one.seconds),
        "of time": None if one.time_share is None else f"{one.time_share:.2%}",
    }
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return {
        "operator": one.operator,
        "framework": one.framework,
        "calls": one.calls,
        "distinct": one.distinct,
        "networks": one.networks,
        "share": f"{one.share:.2%}",
        **(times if timed else {}),
        "kind": one.meaning.kind,
        "measured by": ", ".join(names[:MOST_NAMES]) + more or one.meaning.why or None,
    }


def summary(
    records: Sequence[CallsRecord], covered: Sequence[Covered], *, timed: bool
) -> list[str]:
    """Return how many calls there are, and which share of them and of their time is what."""
    calls = sum(one.calls for one in covered)
    distinct = sum(one.distinct for one in covered)
    counts = f"{calls:,} calls, {distinct:,} distinct, of {len(covered):,} operators"
    times = time_shares(covered)
    of_time = {kind: f" {share:7.2%}" if timed else "" for kind, share in times.items()}
    return [
        f"{counts} in {len(records):,} networks",
        *([f"{'calls':>7} {'time':>7}"] if timed else []),
        *(f"{share:7.2%}{of_time[kind]} {KINDS[kind]}" for kind, share in shares(covered).items()),
    ]
