"""Carrying a sweep out: from small to large, no further than time allows, then the lines fitted."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from opperf.cli.common.output import PIPED, Output
from opperf.core.results.outcome import Outcome
from opperf.core.results.status import TROUBLE
from opperf.measuring.campaign import Campaign
from opperf.measuring.untimed import untimed_results
from opperf.planning.sweep import GROWTH
from opperf.reporting.color import colored
from opperf.reporting.printing import print_rows
from opperf.reporting.registry import find_form
from opperf.reporting.subjects import Listing
from opperf.reporting.sweep import sweep_table
from opperf.reporting.sweep_rows import sweep_rows
from opperf.reporting.text import columns, is_ascii

if TYPE_CHECKING:
    from opperf.core.results.result import Result
    from opperf.planning.task import Task
    from opperf.reporting.subjects import Run

LONGEST = 20.0
"""Seconds that one size of an operator on a framework may be expected to take, all directions."""


@dataclass
class SweepCampaign(Campaign):
    """A campaign that leaves an operator's larger sizes alone where they would take too long.

    What is left alone is a result as well, `skip`, so that a resumed run does not go on there.
    """

    stopped: dict[tuple[object, ...], str] = field(default_factory=dict)

    def measure(self, task: Task, then: Task | None = None) -> list[Result]:
        """Measure one size, or say why not; what comes `then` depends on it."""
        del then
        job = (task.operator, *task.place, task.size, str(task.inputs.get("dtype")))
        if job in self.stopped:
            return self.skip(task, self.stopped[job])
        began = time.monotonic()
        results = super().measure(task)
        expected = GROWTH * (time.monotonic() - began)
        trouble = [result.status for result in results if result.status in TROUBLE]
        if trouble:
            self.stopped[job] = f"not tried after {trouble[0]} at a smaller size"
        elif expected > LONGEST:
            self.stopped[job] = f"would take some {expected:.0f} s, more than {LONGEST:g} s"
        return results

    def skip(self, task: Task, reason: str) -> list[Result]:
        """Return a result without a time for each row."""
        outcome = Outcome(status="skipped", reason=reason)
        facts = self.workers[task.place].environment
        results = untimed_results(task, task.rows, outcome, facts)
        return [self.label(result) for result in results]


@dataclass(frozen=True)
class SweepOutput(Output):
    """On stdout the lines that were fitted; the points are in the run's folder."""

    def print(self, run: Run) -> None:
        """Print a line a series; what is no form of rows has the points."""
        if self.form == "table":
            width = columns(sys.stdout, PIPED)
            text = sweep_table(run.results, width, ascii_only=is_ascii(sys.stdout))
            print(colored(text, sys.stdout))
        elif find_form(self.form, Listing):
            print_rows(sweep_rows(run.results), self.form, sys.stdout)
        else:
            super().print(run)
