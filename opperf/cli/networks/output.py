"""The output of a run of networks."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from opperf.cli.common.messages import say
from opperf.cli.common.output import PIPED, Output
from opperf.networks.log_lines import lines_of
from opperf.reporting.models import KEEP, TIMES, model_notes, model_rows
from opperf.reporting.printing import print_rows
from opperf.reporting.text import columns, is_ascii

if TYPE_CHECKING:
    from argparse import Namespace

    from opperf.reporting.subjects import Run


@dataclass(frozen=True)
class ModelsOutput(Output):
    """A table of throughput and phases on stdout, with notes on stderr; other forms as any run."""

    log_lines: bool = False
    """Whether the lines of a log follow the table."""

    @classmethod
    def of(cls, arguments: Namespace) -> ModelsOutput:
        """Return what the flags ask for; a run that is gone on with prints no lines of a log."""
        one = Output.of(arguments)
        lines = getattr(arguments, "log_lines", False)
        return cls(one.form, one.path, one.file_form, one.quiet, log_lines=lines)

    def print(self, run: Run) -> None:
        """Print the results on stdout."""
        if self.form != "table":
            super().print(run)
            return
        width = columns(sys.stdout, PIPED)
        rows = model_rows(run.results, ascii_only=is_ascii(sys.stdout))
        print_rows(rows, "table", sys.stdout, width=width, keep=KEEP, times=TIMES)
        if self.log_lines:
            for line in (line for result in run.results for line in lines_of(result)):
                print(line)
        for note in () if self.quiet else model_notes(run.results):
            say(note)
