"""What a run of a network's calls on two frameworks prints: call by call, and in sum."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from opperf.cli.common.messages import say
from opperf.cli.common.output import PIPED, print_lines
from opperf.reporting.across import across_lines, across_rows
from opperf.reporting.printing import print_rows
from opperf.reporting.text import columns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.calls.format.model import CallsRecord
    from opperf.calls.ranking.across import Across
    from opperf.core.results.result import Result


def of_own(results: Sequence[Result], record: CallsRecord) -> list[Result]:
    """Return the results on the framework whose calls they are."""
    return [result for result in results if result.operator.framework == record.framework]


def print_across(record: CallsRecord, beside: Sequence[Across], form: str, top: int | None) -> None:
    """Print the calls on both frameworks, at each place of the other one."""
    for_people = form in ("table", "md")
    width = columns(sys.stdout, PIPED) if form == "table" else None
    for across in beside:
        print_rows(
            across_rows(across, top, for_people=for_people), form, sys.stdout, width=width,
            keep=("operator", across.own, across.other, "ratio", "count"),
            times=(across.own, across.other),
        )  # fmt: skip
        lines = across_lines(record, across)
        if for_people:
            print_lines(lines, paged=form == "table")
            continue
        for line in lines:
            say(line)
