"""The page as a file: that of a run, of a comparison, or of histories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.reporting.page.comparison import comparison_page
from opperf.reporting.page.document import document
from opperf.reporting.page.history import history_page
from opperf.reporting.page.run import run_page
from opperf.reporting.subjects import Past, Run

if TYPE_CHECKING:
    from typing import TextIO

    from opperf.reporting.comparison import ComparisonReport


def write_page(subject: Run | ComparisonReport | Past, stream: TextIO) -> None:
    """Write one offline HTML page."""
    if isinstance(subject, Run):
        page = run_page(subject.results, subject.name, subject.networks)
    elif isinstance(subject, Past):
        page = history_page(subject.histories, subject.since)
    else:
        page = comparison_page(subject)
    stream.write(document(page))
