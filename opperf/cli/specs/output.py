"""The output of a run of specifications' tests."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from opperf.cli.common.messages import say
from opperf.cli.common.output import PIPED, Output
from opperf.reporting.printing import print_rows
from opperf.reporting.specs import KEEP, TIMES, spec_notes, spec_rows
from opperf.reporting.text import columns, is_ascii

if TYPE_CHECKING:
    from opperf.reporting.subjects import Run


@dataclass(frozen=True)
class SpecsOutput(Output):
    """A table of tests on stdout, with notes on stderr; other forms as any run."""

    def print(self, run: Run) -> None:
        """Print the results on stdout."""
        if self.form != "table":
            super().print(run)
            return
        width = columns(sys.stdout, PIPED)
        rows = spec_rows(run.results, ascii_only=is_ascii(sys.stdout))
        print_rows(rows, "table", sys.stdout, width=width, keep=KEEP, times=TIMES)
        for note in () if self.quiet else spec_notes(run.results):
            say(note)
